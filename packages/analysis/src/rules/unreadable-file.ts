import type { LintProject } from '../project/lint-project.ts'
import type { SourceFile } from '../project/source-file.ts'
import type { Hit, Rule } from '../rule.ts'
import { parseTemplate } from '../structure/jinja/parse-template.ts'
import { TemplateFault } from '../structure/jinja/syntax.ts'
import { placeAt } from './subjects.ts'

/** What cannot be read is not checked, and says so. */
export const unreadableFile = {
  id: 'SC903',
  name: 'unreadable-file',
  group: 'lint',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'a file cannot be read, or dbt refuses what it says',
  docs: {
    why: 'Nothing in it is checked, and dbt stops there.',
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

/** What Jinja refuses for certain; templates that this reader alone does not know are not found here. */
function brokenJinja(project: LintProject, { path, text }: SourceFile): readonly Hit[] {
  const fault = text.includes('{') ? faultOf(text) : undefined
  if (!fault?.isBroken) return []
  const line = text.slice(0, fault.offset).split('\n').length
  return [
    {
      message: `its Jinja is broken: ${fault.message}`,
      help: 'correct the template: dbt stops there',
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
