import { createHash } from 'node:crypto'
import { escapeHtml } from '@stagecraft/spec'

/** The parts of a page. `main` is HTML; the other texts are escaped. */
export interface Page {
  /** The heading. */
  readonly title: string
  /** The subject of the page, for the window title: `findings`. */
  readonly topic: string
  readonly summary: string
  readonly style: string
  /** The only script that may run. @default none */
  readonly script?: string
  readonly skip: { readonly id: string; readonly text: string }
  readonly main: string
  readonly footer: string
}

/** Prints a page that loads nothing and runs only its own script. */
export function printPage({ footer, main, script, skip, style, summary, title, topic }: Page): string {
  const scripts = script === undefined ? '' : ` script-src ${hashOf(script)};`
  const policy = `default-src 'none'; style-src ${hashOf(style)};${scripts} base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: ${topic}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#${skip.id}">${skip.text}</a>
<header class="top"><h1>${escapeHtml(title)}</h1>
<p class="soft">${escapeHtml(summary)}</p></header>
<main>
${main}
</main>
<footer>${escapeHtml(footer)}</footer>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Prints a number with its noun: `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
