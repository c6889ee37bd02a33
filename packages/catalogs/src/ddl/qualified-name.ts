/** A dotted name in its stored spelling. */
export interface QualifiedName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

/** The parts that are given: without the others they go over those of another name. */
export function knownParts({ database, name, schema }: Partial<QualifiedName>): Partial<QualifiedName> {
  return {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(name !== undefined && { name }),
  }
}
