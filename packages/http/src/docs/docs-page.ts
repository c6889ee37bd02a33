import { escapeHtml } from '@stagecraft/spec'
import type { DocumentedOperation, OpenApiDocument, Paths } from '../document/types.ts'
import { collectFailures, printFailures } from './failures-section.ts'
import { printFields } from './fields-table.ts'
import { prose } from './html.ts'
import { anchor, printOperation } from './print-operation.ts'

const STYLE = `
/* The colours, fonts and spaces of the dashboard. */
:root {
  color-scheme: light dark; font: 14px/20px system-ui, 'DejaVu Sans', sans-serif;
  --bg: light-dark(#fff, #12141a); --surface: light-dark(#f6f7f9, #1a1d25); --line: light-dark(#d8dce3, #2e3440);
  --text: light-dark(#171a21, #e8eaf0); --muted: light-dark(#596273, #9aa3b5); --accent: light-dark(#3451d1, #8fa4ff);
  background: var(--bg); color: var(--text)
}
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: break-word }
main { max-width: 864px; padding: 24px 32px 64px; min-width: 0 }
nav { padding: 8px 12px; background: var(--surface); border-bottom: 1px solid var(--line); max-height: 40vh; overflow-y: auto }
nav ul { list-style: none; margin: 0; padding: 0 }
nav b { display: block; padding: 16px 8px 4px; font: 500 12px/16px system-ui, 'DejaVu Sans', sans-serif; color: var(--muted) }
nav a { display: block; padding: 4px 8px; border-radius: 6px; color: var(--text); text-decoration: none }
nav a:hover { background: var(--line); text-decoration: none }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
h1 { margin: 0 0 16px; font: 600 20px/28px system-ui, 'DejaVu Sans', sans-serif }
h2 { margin: 48px 0 8px; padding-top: 16px; border-top: 1px solid var(--line); font: 600 16px/24px system-ui, 'DejaVu Sans', sans-serif }
h3 { margin: 32px 0 4px; font: 600 14px/20px ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', monospace }
h4 { margin: 16px 0 8px; font-weight: 600 }
p { margin: 8px 0; max-width: 80ch }
code, pre { font: 12.5px/20px ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', monospace }
pre { overflow-x: auto; margin: 8px 0; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; width: 100% }
th { font: 500 12px/16px system-ui, 'DejaVu Sans', sans-serif; color: var(--muted); background: var(--surface) }
th, td { text-align: left; vertical-align: top; padding: 8px 12px; border-bottom: 1px solid var(--line) }
tr:last-child td { border-bottom: 0 }
td:first-child { white-space: nowrap }
summary { cursor: pointer; padding: 4px 0 }
.method { display: inline-block; min-width: 48px; font-weight: 700 }
.gone { text-decoration: line-through }
@media (min-width: 1101px) {
  body { display: grid; grid-template-columns: 300px minmax(0, 1fr) }
  nav { position: sticky; top: 0; height: 100vh; max-height: none; border-right: 1px solid var(--line); border-bottom: 0 }
}
@media (max-width: 800px) {
  main { padding: 16px 16px 48px }
  /* A row of a table is a block: four columns have no room on a phone. */
  thead { display: none }
  tr { display: block; padding: 8px 12px; border-bottom: 1px solid var(--line) }
  tr:last-child { border-bottom: 0 }
  td { display: inline; padding: 0 8px 0 0; border: 0 }
  td:first-child { display: block; white-space: normal; overflow-wrap: anywhere }
  td:nth-last-child(2)::before { content: 'required: '; color: var(--muted) }
  td:last-child { display: block }
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
