import { wordsOf } from '@stagecraft/core/run'
import type { ParsedQuestion } from './intent.ts'
import { COMMON, type Name, topicIn } from './names.ts'
import { inOtherWords } from './spelling.ts'

/** Stands for several names: `tests of ‹names›`. */
export const EACH = '‹names›'

/** A noun for the kind of what is named, before the name or after it; and the article. */
const OF_NAME =
  /\b(?:the )?(?:model|source table|raw table|source|table|relation|seed|snapshot|exposure|column) ‹name›|(?:\bthe )?‹name› (?:model|seed|snapshot|exposure|dashboard)\b|\bthe ‹name›/g

/** The relation of a column that is named before: `how is total computed in fct_orders`. */
const OWNER = /‹name›(.*?) (?:in|of|from|on) ‹name›/

/** Returns the parts of a question, with `‹name›` in the place of names. */
export function parseQuestion(question: string, names: readonly Name[]): ParsedQuestion {
  const ids = [...new Set(names.map(({ id }) => id))]
  const [first] = names
  const form = inOtherWords(names.reduce((text, name) => text.replace(name.text, '‹name›'), question.trim()))
    .replaceAll(/[`"'?!,]+|\.$/g, (mark) => (mark === "'" || mark === ',' ? mark : ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bfields?\b/g, (word) => (word === 'field' ? 'column' : 'columns'))
    .replaceAll(/(?:\bboth )?‹name›(?:(?:,|,? and|,? &) ‹name›)+/g, EACH)
    .replaceAll(',', '')
    .replaceAll(OF_NAME, '‹name›')
    .trim()
    .replace(OWNER, (whole, between: string) => (areOne(names) ? `‹name›${between}` : whole))
  const topic = topicIn(question)
  // two different names mean two questions, unless the second is the relation of the first
  const isOne =
    ids.length <= 1 || names.every(({ found }) => found && found.node.id === first?.found?.node.id)
  return {
    form: first?.found ? form : form.replace(/\b(?:the )?macro ‹name›|‹name› macro\b/, '‹name›'),
    ids,
    ...(first && isOne && { id: first.id }),
    ...(topic !== undefined && { topic }),
    words: wordsOf(question.replaceAll(/['’]s\b/g, ''))
      .filter((word) => !COMMON.has(word) && !FORM_WORDS.has(word))
      .join(' '),
  }
}

/** Returns true for a column and its relation. */
function areOne([column, owner, ...others]: readonly Name[]): boolean {
  const isOwner = owner?.found !== undefined && owner.found.column === undefined
  return isOwner && others.length === 0 && column?.found?.node.id === owner.found?.node.id
}

/** Words of questions that are not search terms. */
const FORM_WORDS = new Set(
  'hold holds contain contains store stores stored say says tell tells search look need want please where column field find keep kept we our was were'.split(
    ' ',
  ),
)
