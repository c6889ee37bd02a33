import { escapeInvisible, redactSecrets } from '@stagecraft/spec'

/** A longer answer is cut. */
const LONGEST = 40_000

/** A picture or a link: `![alt](address)`, `[text](address)`, `[text][reference]`. */
const LINK = /!?\[([^\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])/g

/** Elements of HTML, which a page would run or load. */
const ELEMENT = /<\/?[a-z!][^<>\n]*>/gi

const ADDRESS = /\b(?:https?|ftp|file|data|javascript|mailto|vbscript):[^\s`'"<>)\]]+/gi

/**
 * Makes the text of a model fit to be shown: Markdown without addresses, pictures, links and HTML, through which a page that
 * shows it could send something away; secrets are masked, and control and invisible characters are escaped.
 */
export function plainMarkdown(text: string): string {
  return bareMarkdown(text.slice(0, LONGEST)).trim()
}

/** The same for a part of a text, of whole lines. */
export function bareMarkdown(text: string): string {
  const whole = redactSecrets(text.toWellFormed())
  const lines = whole.replaceAll('\r\n', '\n').replaceAll(/(?!\n|\t)\p{Cc}/gu, '')
  const bare = lines.replaceAll(LINK, '$1').replaceAll(ELEMENT, '').replaceAll(ADDRESS, '(address left out)')
  return escapeInvisible(bare)
}
