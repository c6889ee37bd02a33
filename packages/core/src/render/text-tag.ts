import { escapeInvisible, hasInvisible } from '@stagecraft/spec'
import type { Scalar, ScalarTag, Tags } from 'yaml'
import { isAscii } from '../sql/identifiers.ts'

type Stringify = NonNullable<ScalarTag['stringify']>

/**
 * Matches a line end of YAML 1.1 besides the invisible ones, and two things that dbt v1's reader refuses: a
 * lone `=`, and a block that begins with a tab. Source: yaml.org/spec/1.1, "line break characters";
 * yaml.org/type/value.html.
 */
const NEEDS_QUOTES = /\u0085|^=$|^\s*\t/
const NEXT_LINE = /\u0085/g

/** The emitter's own tags, the one for texts with more quotes. */
export function improveTextTag(tags: Tags): Tags {
  return tags.map((tag) => (isTextTag(tag) ? { ...tag, stringify: quote(tag.stringify) } : tag))
}

function isTextTag(tag: Tags[number]): tag is ScalarTag & { readonly stringify: Stringify } {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str' && 'stringify' in tag
}

function quote(print: Stringify): Stringify {
  return (item, context, onComment, onChompKeep) => {
    const text = String(item.value)
    const isPlainEnough = !NEEDS_QUOTES.test(text) && (isAscii(text) || !hasInvisible(text))
    if (isPlainEnough) return print(item, context, onComment, onChompKeep)
    const quoted = Object.assign(item.clone() as Scalar, { type: 'QUOTE_DOUBLE' })
    const printed = print(quoted, context, onComment, onChompKeep)
    // outside of quotes, where escapes would be text, there is nothing but indentation
    return escapeInvisible(printed).replace(NEXT_LINE, String.raw`\u0085`)
  }
}
