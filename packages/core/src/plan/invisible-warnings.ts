import { type Column, escapeInvisible, hasInvisible, type Table, type Warning } from '@stagecraft/spec'

const LONGEST = 80

/**
 * Warns of names, comments and values with characters that nobody sees. A name in SQL has to be the stored one, so that
 * only a warning tells that it is not what it looks like.
 *
 * @param isDocumented Whether comments become descriptions.
 */
export function invisibleWarnings(
  { columns, comment, name, schema }: Table,
  { isDocumented }: { readonly isDocumented: boolean },
): readonly Warning[] {
  return [
    ...[schema, name].flatMap((text) => warn('the name of the table', text ?? '', AS_STORED)),
    ...(isDocumented ? warn('the comment of the table', comment ?? '', AS_ESCAPES) : []),
    ...columns.flatMap((column) => columnWarnings(column, isDocumented)),
  ]
}

const AS_STORED = 'SQL has them as they are, because the name would be another without them'
const AS_ESCAPES = 'the YAML has them as escapes'

function columnWarnings(
  { comment = '', name, values = [] }: Column,
  isDocumented: boolean,
): readonly Warning[] {
  if (![name, comment, ...values.map(String)].some(hasInvisible)) return []
  const subject = escapeInvisible(JSON.stringify(name))
  const found = [
    ...warn('the name of a column', name, AS_STORED),
    ...(isDocumented ? warn(`the comment of ${subject}`, comment, AS_ESCAPES) : []),
    ...values.flatMap((value) => warn(`a value of ${subject}`, String(value), AS_ESCAPES)),
  ]
  return found.map((warning) => ({ ...warning, column: name }))
}

function warn(what: string, text: string, outcome: string): readonly Warning[] {
  if (!hasInvisible(text)) return []
  const shown = escapeInvisible(text)
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown
  const message = `${what} has invisible characters: ${cut}; ${outcome}`
  return [{ code: 'INVISIBLE_CHARACTERS', message }]
}
