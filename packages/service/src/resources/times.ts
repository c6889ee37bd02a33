/** A time of the store as the interface writes it. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** A member of a resource that is there when the row has a value. */
export function timeMember<Name extends string>(
  name: Name,
  milliseconds: number | null,
): { readonly [Key in Name]?: string } {
  return (milliseconds === null ? {} : { [name]: toIso(milliseconds) }) as { readonly [Key in Name]?: string }
}
