import type { NamePart, SourceName } from '@stagecraft/spec'

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u

/** A stored name as a source name may hold it: in double quotes where it is not a plain word. */
export function printName(name: string): string {
  return PLAIN.test(name) ? name : quote(name)
}

/** A part of a name as it was asked for. */
export function printPart({ quoted, text }: NamePart): string {
  return quoted ? quote(text) : text
}

/** A source name as it was asked for. */
export function printSource({ database, schema, table }: SourceName): string {
  return [database, schema, table].flatMap((part) => (part ? [printPart(part)] : [])).join('.')
}

/** `a, b or c`. */
export function orList(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
