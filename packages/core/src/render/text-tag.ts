import type { Scalar, ScalarTag, Tags } from 'yaml'

type Stringify = NonNullable<ScalarTag['stringify']>

/** Names longer than this are rare, and may have to be folded. */
const LONGEST = 40

/** Deeper than any text of this length could be folded. */
const DEEPEST = 20

/** Enough for the names of a large schema; then the memory begins anew. */
const MOST = 20_000

/** Lines that are told from the marks of a document, and texts of several. */
const DEPENDS_ON_PLACE = /\n|^(?:%|---|\.\.\.)/

/**
 * What YAML 1.1 takes for line ends, a byte order mark, and two things that dbt v1's reader refuses: a lone `=`, and
 * a block that begins with a tab.
 * Source: yaml.org/spec/1.1, "line break characters"; yaml.org/type/value.html.
 */
const NEEDS_QUOTES = /[\u0085\u2028\u2029\uFEFF]|^=$|^\s*\t/
const TO_ESCAPE = /[\u0085\u2028\u2029\uFEFF]/g

/**
 * The emitter's own tags, the one for texts with more quotes and a memory: a run prints the same keys, types and
 * column names thousands of times, and to find out whether one needs quotes takes some thirty expressions.
 */
export function improveTextTag(tags: Tags): Tags {
  return tags.map((tag) => (isTextTag(tag) ? { ...tag, stringify: remember(quote(tag.stringify)) } : tag))
}

function isTextTag(tag: Tags[number]): tag is ScalarTag & { readonly stringify: Stringify } {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str' && 'stringify' in tag
}

function quote(print: Stringify): Stringify {
  return (item, context, onComment, onChompKeep) => {
    if (!NEEDS_QUOTES.test(String(item.value))) return print(item, context, onComment, onChompKeep)
    const quoted = Object.assign(item.clone() as Scalar, { type: 'QUOTE_DOUBLE' })
    return print(quoted, context, onComment, onChompKeep).replace(TO_ESCAPE, escapeCharacter)
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function remember(print: Stringify): Stringify {
  const keys = new Map<string, string>()
  const values = new Map<string, string>()
  return (item, context, onComment, onChompKeep) => {
    if (!isPlain(item) || context.inFlow || context.indent.length > DEEPEST) {
      return print(item, context, onComment, onChompKeep)
    }
    const known = context.implicitKey ? keys : values
    const text = known.get(item.value) ?? print(item, context, onComment, onChompKeep)
    if (known.size >= MOST) known.clear()
    known.set(item.value, text)
    return text
  }
}

/** What is printed the same wherever it stands. */
function isPlain(item: Scalar): item is Scalar<string> {
  const { comment, type, value } = item
  if (typeof value !== 'string' || value.length > LONGEST || type || comment) return false
  return !DEPENDS_ON_PLACE.test(value)
}
