export interface FormatOptions {
  /** Version of Stagecraft. */
  readonly version: string
  /** What stands before the paths of the project: `warehouse/` where the project is not the root of its repository. @default nothing */
  readonly prefix?: string
  /** Styles a piece of text for a terminal. @default not at all */
  readonly paint?: Paint
}

export type Paint = (style: 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string) => string
