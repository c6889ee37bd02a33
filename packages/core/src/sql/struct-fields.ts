import type { Dialect } from '@stagecraft/dialects'
import { parseType } from './types.ts'

/** A field of a struct, as the warehouse spells it. */
export interface StructField {
  readonly name: string
  readonly type: string
}

/** Types of structs: `STRUCT<a INT64>`, `struct<a:int>`, `row(a bigint)`, `Tuple(a Int8)`, `OBJECT(a VARCHAR)`. */
const STRUCT = /^(?:struct|record|row|tuple|object)\s*([<(])(.*)([>)])$/is

/** A name, in quotes where it needs them, and its type behind a colon or a blank. */
const FIELD =
  /^\s*(?:"((?:[^"]|"")+)"|`((?:[^`\\]|``|\\.)+)`|([\p{L}_][\p{L}\p{N}_$]*))(?:\s*:\s*|\s+)(\S.*)$/su

/** What may stand behind the type of a field in a script. */
const CLAUSES = /\s+(?:not\s+null|null|options\s*\(|comment\s+['"]|collate\s|default\s)[^]*$/i

/** The fields of a struct type; undefined for another type, and where a field has no name or no type that is known. */
export function structFields(type: string, dialect: Dialect): readonly StructField[] | undefined {
  const [, open, inside = '', close] = STRUCT.exec(unwrap(type.trim(), dialect)) ?? []
  if (open === undefined || (open === '<') !== (close === '>')) return undefined
  const fields = splitTop(inside).map((part) => readField(part, dialect))
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined
}

/** `Nullable(Tuple(…))` is a tuple. */
function unwrap(type: string, { types }: Dialect): string {
  const [, base = '', inside = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  return types.wrappers.includes(base.toLowerCase()) ? inside.trim() : type
}

function readField(part: string, dialect: Dialect): StructField | undefined {
  const [, quoted, ticked, plain, rest = ''] = FIELD.exec(part) ?? []
  const name =
    plain ?? quoted?.replaceAll('""', '"') ?? ticked?.replaceAll('``', '`').replaceAll(/\\(.)/g, '$1')
  const type = rest.replace(CLAUSES, '').trim()
  return name !== undefined && parseType(type, dialect).known ? { name, type } : undefined
}

/** The parts between commas, those inside brackets and quotes not counted. */
function splitTop(text: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of text.matchAll(/"(?:[^"]|"")*"|`(?:[^`\\]|``|\\.)*`|'(?:[^'\\]|''|\\.)*'|[^]/g)) {
    if ('<([{'.includes(piece)) depth++
    if ('>)]}'.includes(piece)) depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}
