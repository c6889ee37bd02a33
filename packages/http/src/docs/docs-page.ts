import type { DocumentedAnswer, DocumentedOperation, OpenApiDocument } from '../document/types.ts'
import { printFields } from './fields-table.ts'
import { escapeHtml, jsonBlock, prose } from './html.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem; border-top: 1px solid #8886; padding-top: 1rem }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace }
pre { overflow-x: auto; padding: 0.75rem; background: #8881; border-radius: 6px }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #8883 }
summary { cursor: pointer; padding: 0.2rem 0 }
`

/** The document as one page that needs nothing else: no script, no other address. */
export function printDocsPage(document: OpenApiDocument): string {
  const { components, info, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  const links = operations.map(
    ({ operation, title }) =>
      `<li><a href="#${anchor(title)}">${escapeHtml(title)}</a> ${prose(operation.summary)}</li>`,
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${name}">${name}</h3>\n${printFields(schema)}`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(info.title)} API</h1>
<p>${prose(info.description)} The same for programs: <a href="openapi.json">openapi.json</a>.</p>
<ul>
${links.join('\n')}
</ul>
${operations.map(({ operation, title }) => printOperation(title, operation)).join('\n')}
<h2>Fields</h2>
${schemas.join('\n')}
</body>
</html>
`
}

function printOperation(
  title: string,
  { description, requestBody, responses, security, summary }: DocumentedOperation,
): string {
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const open = security?.length === 0 ? ' It is open: no key is needed.' : ''
  return [
    `<h2 id="${anchor(title)}">${escapeHtml(title)}</h2>`,
    `<p>${prose(summary)}. ${prose(description ?? '')}${open}</p>`,
    ...(requestBody ? ['<h3>Request</h3>'] : []),
    ...examples.map((example) => `<p>${prose(example.summary ?? '')}:</p>\n${jsonBlock(example.value)}`),
    '<h3>Answers</h3>',
    ...Object.entries(responses).map(([status, answer]) => printAnswer(status, answer)),
  ].join('\n')
}

function printAnswer(status: string, { content = {}, description = '' }: DocumentedAnswer): string {
  const examples = Object.values(content['application/json']?.examples ?? {})
  if (examples.length === 0) return `<p><code>${status}</code> ${prose(description)}</p>`
  const blocks = examples.map(({ value }) => jsonBlock(value)).join('\n')
  return `<details><summary><code>${status}</code> ${prose(description)}</summary>\n${blocks}\n</details>`
}

function anchor(title: string): string {
  return title.toLowerCase().replace(/[^a-z]+/g, '-')
}
