import { escapeHtml } from '@stagecraft/spec'
import type { DocumentedAnswer, DocumentedOperation, Media, Parameter } from '../document/types.ts'
import { codesOf } from './failures-section.ts'
import { dataType, printFields, printRows, typeOf } from './fields-table.ts'
import { jsonBlock, prose } from './html.ts'

/** Prints an operation: its input and its responses. */
export function printOperation(
  title: string,
  {
    deprecated,
    description,
    parameters = [],
    requestBody,
    responses,
    security,
    summary,
  }: DocumentedOperation,
): string {
  const [method = '', path = ''] = title.split(' ')
  const open = security?.length === 0 && method !== 'event' ? ' It is open: no key is needed.' : ''
  const gone = deprecated ? ' class="gone"' : ''
  const answers = Object.entries(responses)
  const failing = answers.filter(([status]) => Number(status) >= 400).flatMap(([, answer]) => codesOf(answer))
  return [
    `<h3 id="${anchor(title)}"><span class="method">${escapeHtml(method)}</span> <span${gone}>${escapeHtml(path)}</span></h3>`,
    `<p>${prose(sentence(summary))} ${prose(description ?? '')}${open}</p>`,
    ...(parameters.length > 0 ? ['<h4>Parameters</h4>', printParameters(parameters)] : []),
    ...(requestBody ? printBody(requestBody) : []),
    '<h4>Responses</h4>',
    ...answers
      .filter(([, answer]) => codesOf(answer).length === 0)
      .map(([status, answer]) => printAnswer(status, answer)),
    ...(failing.length > 0 ? [`<p>Failures: ${failing.map(linkTo).join(', ')}</p>`] : []),
  ].join('\n')
}

export function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

function sentence(summary: string): string {
  return summary.endsWith('.') ? summary : `${summary}.`
}

function printParameters(parameters: readonly Parameter[]): string {
  return printRows(
    ['Name', 'In', 'Type', 'Required', 'Notes'],
    parameters.map(({ description = '', in: place, name, required, schema }) => [
      `<code>${escapeHtml(name)}</code>`,
      place,
      typeOf(schema),
      required ? 'yes' : 'no',
      prose(description),
    ]),
  )
}

function printBody({
  content,
  required,
}: NonNullable<DocumentedOperation['requestBody']>): readonly string[] {
  const media = content['application/json']
  return [
    `<h4>Body${required ? '' : ' (optional)'}</h4>`,
    ...(media ? [printFields(media.schema), ...printExamples(media)] : []),
  ]
}

function printExamples({ examples = {} }: Media): readonly string[] {
  return Object.entries(examples).map(
    ([name, { summary = name, value }]) =>
      `<details><summary>Example: ${prose(summary)}</summary>\n${jsonBlock(value)}\n</details>`,
  )
}

function printAnswer(status: string, { content = {}, description = '' }: DocumentedAnswer): string {
  const [type, media] = Object.entries(content)[0] ?? []
  const data = media && dataType(media.schema)
  const what =
    data === undefined
      ? type !== undefined && `As <code>${escapeHtml(type)}</code>.`
      : `<code>data</code>: ${data}`
  const line = `<code>${status}</code> ${prose(sentence(description))} ${what || ''}`
  const table = media ? printData(media) : []
  return [`<p>${line}</p>`, ...table, ...(media ? printExamples(media) : [])].join('\n')
}

/** Prints the fields of `data`, unless its schema has a name. */
function printData({ schema }: Media): readonly string[] {
  const { properties: { data } = {} } = schema as {
    readonly properties?: { readonly data?: Media['schema'] }
  }
  const hasFields = data?.['properties'] !== undefined && !('items' in (data['properties'] as object))
  return hasFields ? [printFields(data)] : []
}

function linkTo(code: string): string {
  return `<a href="#${code}"><code>${code}</code></a>`
}
