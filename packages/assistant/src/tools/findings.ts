import { chooseRules, type Finding, type Fix, type Report, SEVERITIES } from '@stagecraft/analysis'
import type { YamlEdit } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { cleanData, cleanText } from '../clean-text.ts'
import { findResource } from '../resources.ts'
import { defineTool, type Item, itemSchema, type ToolResult, idInput } from '../tool.ts'

/** Lists findings of lint. */
export const checkProject = defineTool({
  name: 'check_project',
  title: 'Lint findings',
  description:
    'Lists lint findings: hidden joins, missing tests, unknown columns, unused sources and more. explain explains a rule.',
  input: {
    path: z.string().min(1).max(500).optional().describe('a file or folder of the project, relative to it'),
    id: idInput.optional(),
    rule: z.string().min(1).max(100).optional().describe('SC203, its name, or a group'),
    minSeverity: z.enum(SEVERITIES).default('info'),
  },
  item: itemSchema.extend({
    severity: z.enum(SEVERITIES),
    rule: z.string(),
    help: z.string(),
    fixable: z.boolean(),
  }),
  run: (view, { id, minSeverity, path, rule }) => {
    const isShown = path === undefined ? () => true : within(view, path)
    const rules =
      rule === undefined
        ? undefined
        : new Set(chooseRules({ select: [rule] }).map((one) => one.rule.id as string))
    const subject = id === undefined ? undefined : findResource(view, id).node
    const worst = SEVERITIES.indexOf(minSeverity)
    const { findings, unchecked } = view.report()
    const shown = findings.filter(
      (finding) =>
        isShown(finding.path) &&
        (rules?.has(finding.rule) ?? true) &&
        SEVERITIES.indexOf(finding.severity) <= worst &&
        (subject === undefined || isAbout(finding, subject)),
    )
    const off = rules && view.report().rules.every((one) => !rules.has(one.id))
    return {
      items: shown.map((finding) => ({
        ...itemOf(finding),
        severity: finding.severity,
        rule: `${finding.rule} ${finding.name}`,
        help: finding.help,
        fixable: finding.fix !== undefined,
      })),
      notes: [
        ...(off ? ['the rule is switched off'] : []),
        ...countUnchecked(unchecked.filter((one) => rules?.has(one.rule) ?? true)),
      ],
    }
  },
})

/** Converts a finding to an item, whose id is its fingerprint. */
function itemOf({ fingerprint, message, path, start }: Finding): Item {
  return {
    id: `finding.${fingerprint.slice(0, 16)}`,
    kind: 'finding',
    file: path,
    line: start.line,
    text: message,
  }
}

function isAbout(
  { path, subject }: Finding,
  node: { readonly name: string; readonly path: string; readonly kind: string },
): boolean {
  if (node.kind === 'source') return subject.kind === 'source' && subject.name === node.name
  return (subject.kind === node.kind && subject.name === node.name) || path === node.path
}

function countUnchecked(unchecked: Report['unchecked']): readonly string[] {
  const reasons = Map.groupBy(unchecked, ({ reason, rule }) => `${rule}\0${reason}`)
  return [...reasons.values()].flatMap(([first, ...others]) =>
    first ? [`${first.rule} was not checked on ${others.length + 1} subjects: ${first.reason}`] : [],
  )
}

/**
 * Creates a test for files below a path.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a path outside the project, and for one without files.
 */
function within({ project }: ProjectView, path: string): (file: string) => boolean {
  const wanted = path.replace(/^\.\//, '').replace(/\/+$/, '')
  const isIn = (file: string): boolean => file === wanted || file.startsWith(`${wanted}/`)
  if ([...project.files.keys()].some(isIn)) return isIn
  throw StagecraftError.invalid({
    path: 'path',
    expected: 'a file or folder that dbt reads, relative to the project: models/staging',
    received: JSON.stringify(cleanText(path, 100)),
  })
}

/**
 * Shows one finding.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an id that the project does not have.
 */
export function findFinding(view: ProjectView, id: string): ToolResult {
  const wanted = `finding.${id.replace(/^finding\./, '')}`
  const found = [...view.report().findings, ...view.lackingTests().findings].find(
    (finding) => itemOf(finding).id === wanted,
  )
  if (!found)
    throw StagecraftError.invalid({
      path: 'finding',
      expected: 'the id of a finding',
      received: JSON.stringify(cleanText(id, 100)),
    })
  const item = { ...itemOf(found), rule: `${found.rule} ${found.name}`, help: found.help }
  return cleanData({ untrusted: true, total: 1, items: [item] })
}

/** Lists tests that raw tables suggest. */
export const suggestTests = defineTool({
  name: 'suggest_tests',
  title: 'Missing tests',
  description:
    'Lists missing tests that keys, references and value lists of the raw tables call for. stagecraft lint --fix adds them.',
  input: { id: idInput.optional() },
  item: itemSchema.extend({ rule: z.string(), tests: z.array(z.string()) }),
  run: (view, { id }) => {
    const node = id === undefined ? undefined : findResource(view, id).node
    const { findings, unchecked } = view.lackingTests()
    return {
      items: findings
        .filter((finding) => node === undefined || isAbout(finding, node))
        .map((finding) => ({
          ...itemOf(finding),
          rule: `${finding.rule} ${finding.name}`,
          tests: testsOfFix(finding.fix),
        })),
      notes: countUnchecked(
        unchecked.filter(
          ({ subject }) => node === undefined || subject.kind === 'project' || subject.name === node.name,
        ),
      ),
    }
  },
})

function testsOfFix(fix: Fix | undefined): string[] {
  if (fix?.edit.kind !== 'yaml') return []
  return fix.edit.edits.flatMap(testsOfEdit).slice(0, 8)
}

/** Returns the tests of an edit, including one that adds the entry of their column. */
function testsOfEdit(edit: YamlEdit): readonly string[] {
  const print = (column: string | undefined, tests: unknown): readonly string[] =>
    Array.isArray(tests)
      ? tests.map((test) => `${column === undefined ? '' : `${column}: `}${JSON.stringify(test)}`)
      : []
  if (edit.kind === 'add-tests') return print(edit.column, edit.tests)
  return edit.kind === 'add-column' ? print(edit.column.name, edit.column['data_tests']) : []
}
