import { escapeHtml } from '@stagecraft/spec'
import type { DocumentedOperation, OpenApiDocument, Paths } from '../document/types.ts'
import { collectFailures, printFailures } from './failures-section.ts'
import { printFields } from './fields-table.ts'
import { prose } from './html.ts'
import { anchor, printOperation } from './print-operation.ts'

const STYLE = `
/* The colours and fonts of the dashboard. */
:root {
  color-scheme: light dark; font: 14px/1.5 system-ui, 'DejaVu Sans', sans-serif;
  --bg: light-dark(#fff, #12141a); --surface: light-dark(#f6f7f9, #1a1d25); --line: light-dark(#d8dce3, #2e3440);
  --text: light-dark(#171a21, #e8eaf0); --muted: light-dark(#596273, #9aa3b5); --accent: light-dark(#3451d1, #8fa4ff);
  background: var(--bg); color: var(--text)
}
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: break-word }
main { max-width: 56rem; padding: 1rem 1.5rem 4rem }
nav { padding: 1rem 1.5rem; background: var(--surface); max-height: 40vh; overflow-y: auto }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li { padding: 0.1rem 0 }
nav b { display: block; margin-top: 1rem; font-weight: 500; font-size: 0.86rem; color: var(--muted) }
nav a { color: inherit; text-decoration: none }
a { color: var(--accent); text-underline-offset: 0.15em }
a:hover { text-decoration: underline }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
h1 { font: 600 20px/28px system-ui, 'DejaVu Sans', sans-serif }
h2 { margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 16px }
h3 { margin: 2.5rem 0 0.25rem; font: 600 1rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace }
h4 { margin: 1.25rem 0 0.25rem }
p { margin: 0.4rem 0 }
code, pre { font: 12.5px/20px ui-monospace, 'DejaVu Sans Mono', monospace }
pre { overflow-x: auto; padding: 0.75rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th { font-weight: 500; color: var(--muted) }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap }
summary { cursor: pointer; padding: 0.2rem 0 }
.method { display: inline-block; min-width: 3.6rem; font-weight: 700 }
.gone { text-decoration: line-through }
@media (min-width: 72rem) {
  body { display: grid; grid-template-columns: 22rem 1fr }
  nav { position: sticky; top: 0; height: 100vh; max-height: none; border-right: 1px solid var(--line) }
}
`

interface Entry {
  readonly title: string
  readonly operation: DocumentedOperation
}

/** Prints the document as one page without scripts or external resources. */
export function printDocsPage(document: OpenApiDocument): string {
  const { components, info, paths, tags, webhooks = {} } = document
  const entries = entriesOf(paths)
  const groups = tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${name}">${name}</h3>\n${printFields(schema)}`,
  )
  const events = entriesOf(webhooks).map((entry) => ({
    ...entry,
    title: entry.title.replace(/^POST /, 'event '),
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<nav>
${[...groups, ...(events.length > 0 ? [{ name: 'Deliveries', entries: events }] : [])].map(printLinks).join('\n')}
<b><a href="#failures">Failures</a></b>
<b><a href="#fields">Fields</a></b>
</nav>
<main>
<h1>${escapeHtml(info.title)} API</h1>
<p>${prose(info.description)} As JSON: <a href="openapi.json">openapi.json</a>.</p>
${groups.map((group) => printGroup(group)).join('\n')}
${events.length > 0 ? printGroup({ name: 'Deliveries', description: 'The requests that webhooks receive.', entries: events }) : ''}
${printFailures(collectFailures(document))}
<h2 id="fields">Fields</h2>
${schemas.join('\n')}
</main>
</body>
</html>
`
}

function entriesOf(paths: Paths): readonly Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

function printLinks({
  entries,
  name,
}: {
  readonly name: string
  readonly entries: readonly Entry[]
}): string {
  const links = entries.map(({ operation: { deprecated, summary }, title }) => {
    const look = deprecated ? ' class="gone"' : ''
    return `<li><a${look} href="#${anchor(title)}" title="${escapeHtml(title)}">${prose(summary)}</a></li>`
  })
  return `<b>${escapeHtml(name)}</b>\n<ul>\n${links.join('\n')}\n</ul>`
}

interface Group {
  readonly name: string
  readonly description: string
  readonly entries: readonly Entry[]
}

function printGroup({ description, entries, name }: Group): string {
  return [
    `<h2>${escapeHtml(name)}</h2>`,
    `<p>${prose(description)}</p>`,
    ...entries.map(({ operation, title }) => printOperation(title, operation)),
  ].join('\n')
}
