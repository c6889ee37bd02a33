import { SALESFORCE_FIELD } from './custom-field.ts'
import { isWholeWord, splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'

/**
 * Returns true if a table writes words together (`createdbyid`), so that its names are split: all that can
 * be, or none. A table that separates its words means what it leaves together (`customer_firstname`), and
 * where most long names cannot be split, splitting the others would give two styles in one table.
 */
export function runsTogether(names: readonly string[], vocabulary: Vocabulary): boolean {
  const own = names.filter((name) => !name.startsWith('_') && !SALESFORCE_FIELD.test(name.toLowerCase()))
  // Most tables are told by their underscores alone.
  if (own.filter((name) => SEPARATES.test(name)).length * 2 > own.length) return false
  const plain = own.map(toSnakeCase)
  const together = plain.filter((name) => !name.includes('_'))
  const separated = plain.length - together.length
  const split = together.filter((name) => splitWord(name, vocabulary).length > 1).length
  const doubtful = together.filter((name) => isDoubtful(name, vocabulary)).length
  return split > 0 && split >= separated && split >= doubtful
}

const SEPARATES = /[a-z0-9]_/i

/** Too long for a word of its own, and yet none that could be split. */
const LONG = 9

function isDoubtful(name: string, vocabulary: Vocabulary): boolean {
  return name.length >= LONG && !isWholeWord(name, vocabulary) && splitWord(name, vocabulary).length === 1
}
