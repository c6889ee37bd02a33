export interface PageProps {
  /** The names in the path of the page. */
  readonly params: Readonly<Record<string, string>>
}
