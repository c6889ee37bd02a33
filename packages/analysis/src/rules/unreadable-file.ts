import type { LintProject } from '../project/lint-project.ts'
import type { SourceFile } from '../project/source-file.ts'
import type { Hit, Rule } from '../rule.ts'
import { parseTemplate } from '../structure/jinja/parse-template.ts'
import { TemplateFault } from '../structure/jinja/syntax.ts'
import { placeAt } from './subjects.ts'

/** Unreadable files are not checked, so they are reported. */
export const unreadableFile = {
  id: 'SC903',
  name: 'unreadable-file',
  group: 'lint',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'a file cannot be read, or dbt refuses its content',
  docs: {
    why: 'Nothing in the file is checked, and dbt stops at it.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n      - name: orders',
    },
    remedy: 'Correct the file.',
  },
  check: (project) => [
    ...[...project.index.faults, ...project.index.twins].map(({ line, path, reason }) => ({
      message: firstLine(reason),
      place: placeAt(project, path, line),
      subject: { kind: 'file' as const, name: path, detail: firstLine(reason) },
    })),
    ...[...project.files.values()]
      .filter(({ path }) => path.endsWith('.sql'))
      .flatMap((file) => brokenJinja(project, file)),
  ],
} satisfies Rule

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text
}

/** The Jinja of most models: a call with literals, such as `{{ ref('orders') }}`, which cannot be broken. */
const PLAIN_CALL = plainCall()

function plainCall(): RegExp {
  const name = String.raw`(?!(?:and|or|not|in|is|if|else)\b)[A-Za-z_]\w*`
  const value = String.raw`(?:'[^'\\]*'|"[^"\\]*"|\d+|[Tt]rue|[Ff]alse|[Nn]one)`
  const named = String.raw`${name}\s*=\s*${value}`
  const values = String.raw`${value}(?:\s*,\s*${value})*(?:\s*,\s*${named})*`
  const list = String.raw`(?:${values}|${named}(?:\s*,\s*${named})*)`
  return new RegExp(String.raw`(?<!\{)\{\{-?\s*${name}(?:\.${name})*\(\s*(?:${list}\s*)?\)\s*-?\}\}`, 'g')
}

const OTHER_JINJA = /[{%#]\}|\{[{%#]|\}\}/

/** Reports only templates that Jinja itself refuses, not those that this parser does not support. */
function brokenJinja(project: LintProject, { path, text }: SourceFile): readonly Hit[] {
  const fault = OTHER_JINJA.test(text.replaceAll(PLAIN_CALL, '')) ? faultOf(text) : undefined
  if (!fault?.isBroken) return []
  const line = text.slice(0, fault.offset).split('\n').length
  return [
    {
      message: `its Jinja has an error: ${fault.message}`,
      help: 'correct the template: dbt stops at it',
      place: placeAt(project, path, line),
      subject: { kind: 'file', name: path, detail: fault.message },
    },
  ]
}

function faultOf(text: string): TemplateFault | undefined {
  try {
    parseTemplate(text)
    return undefined
  } catch (error) {
    if (error instanceof TemplateFault) return error
    throw error
  }
}
