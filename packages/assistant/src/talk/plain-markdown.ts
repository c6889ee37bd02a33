import { escapeInvisible, redactSecrets } from '@stagecraft/spec'

/** Longer answers are cut. */
const LONGEST = 40_000

/** A picture or a link: `![alt](address)`, `[text](address)`, `[text][reference]`. */
const LINK = /!?\[([^\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])/g

/** Elements of HTML, which a page would run or load. */
const ELEMENT = /<\/?[a-z!][^<>\n]*>/gi

const ADDRESS = /\b(?:https?|ftp|file|data|javascript|mailto|vbscript):[^\s`'"<>)\]]+/gi

/**
 * Cleans the text of a model: Markdown without URLs, pictures, links and HTML, with which a page could leak data;
 * secrets are masked, and control and invisible characters are escaped.
 */
export function plainMarkdown(text: string): string {
  return bareMarkdown(text.slice(0, LONGEST)).trim()
}

/** Cleans a part of a text that consists of whole lines. */
export function bareMarkdown(text: string): string {
  const whole = redactSecrets(text.toWellFormed())
  const lines = whole.replaceAll('\r\n', '\n').replaceAll(/(?!\n|\t)\p{Cc}/gu, '')
  const bare = lines.replaceAll(LINK, '$1').replaceAll(ELEMENT, '').replaceAll(ADDRESS, '(address left out)')
  return escapeInvisible(bare)
}
