import { toSnakeCase } from '../naming/tokens.ts'
import { areSlices } from './expression-slices.ts'
import { lossOf } from './expression-traits.ts'
import { columnsRead, type ExpressionTree, partsOf, withParts } from './expression-tree.ts'
import { partsOfName } from './rename-words.ts'

/** Calls that take a piece of a text. */
const CUTS =
  /^(?:left|right|substr|substring|substringutf8|mid|split_part|substring_index|strtok|split|regexp_substr|regexp_extract|regexp_match|regexpextract|domain|url_extract_host)$/i

/** Calls that take a value out of a document; the texts behind the first operand are its keys. */
const STEPS =
  /^(?:json_extract|json_extract_string|json_extract_scalar|json_value|json_extract_path|json_extract_path_text|jsonb_extract_path|jsonb_extract_path_text|get_json_object|parse_url|get|get_path|element_at|try_element_at|struct_extract|jsonextract\w*|simplejsonextractstring|visitparamextractstring|variant_get|try_variant_get)$/i

/** Calls that count what a value consists of. */
const MEASURES =
  /^(?:len|length|char_length|character_length|octet_length|lengthutf8|datalength|strlen|array_length|array_size|cardinality|size|json_array_length|jsonb_array_length|json_length|jsonlength)$/i

const MEASURE_WORDS = ['length', 'size', 'count', 'number']

const HASH_WORDS = [
  'hash',
  'hashed',
  'digest',
  'md5',
  'sha',
  'sha1',
  'sha2',
  'sha256',
  'sha512',
  '256',
  '512',
]

/** Words for a piece of a text. */
const PIECES: ReadonlySet<string> = new Set(
  'prefix suffix part initial initials domain host area first last year month day date short beginning ending'.split(
    ' ',
  ),
)

/**
 * Returns the parts of an expression whose values go into its result, from the outside in. Conditions decide,
 * but do not go in.
 */
export function carriersOf(tree: ExpressionTree): readonly ExpressionTree[] {
  if (tree.kind === 'test' || (tree.kind === 'binary' && !/^(?:[-+*/%]|\|\|)$/.test(tree.operator)))
    return [tree]
  const parts =
    tree.kind === 'case'
      ? [...tree.branches.map(({ result }) => result), ...(tree.otherwise ? [tree.otherwise] : [])]
      : partsOf(tree)
  return [tree, ...parts.flatMap(carriersOf)]
}

/** Returns true if an expression keeps only a piece of a text, or one value of a document. */
export function takesPart(tree: ExpressionTree, own: string): boolean {
  return (
    carriersOf(tree).some((part) => {
      if (isStep(part)) return keysOf(part).length > 0
      const isPart = part.kind === 'call' && (CUTS.test(part.name) || MEASURES.test(part.name))
      return isPart && columnsRead(part).includes(own)
    }) && !isWhole(tree, own)
  )
}

/** The pieces of `upper(left(c, 1)) || lower(substr(c, 2))` are the whole text again. */
function isWhole(tree: ExpressionTree, own: string): boolean {
  const joined = carriersOf(tree).find((part) => part.kind === 'binary' && part.operator === '||')
  const called = carriersOf(tree).find((part) => part.kind === 'call' && /^concat$/i.test(part.name))
  const parts = [joined, called].flatMap((part) => (part ? partsOf(part) : []))
  const pieces = parts.filter((part) => columnsRead(part).includes(own))
  return pieces.length > 1 && areSlices(pieces, own)
}

/** Returns the words that a name needs one of, to say which part of its column an expression takes. */
export function wordsOfParts(tree: ExpressionTree): ReadonlySet<string> {
  const parts = withParts(tree)
  const keys = parts.flatMap(keysOf).flatMap((key) => partsOfName(toSnakeCase(key)))
  const calls = parts.flatMap((part) => (part.kind === 'call' ? part.name : []))
  return new Set([
    ...keys,
    ...(calls.some((name) => CUTS.test(name)) ? PIECES : []),
    ...(calls.some((name) => MEASURES.test(name)) ? MEASURE_WORDS : []),
  ])
}

/** Returns the words that a name may add because of what an expression gives: a part, a hash, the time of a zone. */
export function wordsOfResult(tree: ExpressionTree): ReadonlySet<string> {
  const parts = withParts(tree)
  const isHash = parts.some((part) => part.kind === 'call' && lossOf(part.name) === 'hash')
  const zones = parts.flatMap((part) =>
    part.kind === 'zone' ? part.zone : part.kind === 'text' ? part.value : [],
  )
  const places = zones.filter((zone) => /^(?:[a-z]+\/[a-z_]+|utc)$/i.test(zone))
  return new Set([
    ...wordsOfParts(tree),
    ...(isHash ? HASH_WORDS : []),
    ...places.flatMap((zone) => zone.toLowerCase().split(/[/_]/)),
  ])
}

function isStep(part: ExpressionTree): boolean {
  return part.kind === 'path' || (part.kind === 'call' && STEPS.test(part.name))
}

/** The names in a path such as `$.customer.email`; `$` alone is the whole document. */
function keysOf(part: ExpressionTree): readonly string[] {
  if (part.kind === 'path') return part.key === '{}' ? [] : [part.key]
  if (part.kind !== 'call' || !STEPS.test(part.name)) return []
  return part.operands
    .slice(1)
    .flatMap((operand) => (operand.kind === 'text' || operand.kind === 'number' ? operand.value : []))
    .flatMap((path) => path.match(/[\p{L}\p{N}_-]+/gu) ?? [])
}
