import type { Dialect } from '@stagecraft/dialects'
import { foldCase } from '../sql/identifiers.ts'
import type { StoredName } from './stored-name.ts'

/** A stored name as a user would type it: dotted, in quotes where reading it back would change it. */
export function printSourceName({ database, schema, table }: StoredName, dialect: Dialect): string {
  const parts = [database, schema, table].filter((part) => part !== undefined)
  return parts.map((part) => (isPlain(part, dialect) ? part : `"${part.replaceAll('"', '""')}"`)).join('.')
}

function isPlain(part: string, dialect: Dialect): boolean {
  return /^[\p{L}\p{M}\p{N}_$]+$/u.test(part) && foldCase(part, dialect) === part
}
