import { memoryTree } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import type { Finding } from '../finding.ts'
import { readLintProject } from '../project/read-lint-project.ts'
import type { Fix } from '../vocabulary.ts'
import { applyFixes } from './apply-fixes.ts'

const TEXT = 'select a, b, c from t\n'

function findingOf(edit: Fix['edit'], path = 'models/m.sql'): Finding {
  const start = { line: 1, column: 1 }
  const subject = { kind: 'file', name: path } as const
  const told = { message: 'm', help: 'h', path, start, end: start, line: TEXT, subject, fingerprint: 'f' }
  const fix = { safety: 'safe', summary: 's', edit } as const
  return { rule: 'SC999', name: 'x', group: 'lint', severity: 'info', ...told, fix }
}

const replace = (start: number, end: number, text: string): Finding =>
  findingOf({ kind: 'text', edits: [{ path: 'models/m.sql', start, end, text }] })

const project = readLintProject(
  memoryTree({ 'dbt_project.yml': 'name: shop\n', 'models/m.sql': TEXT, 'models/n.sql': TEXT }),
)

test('does the first of fixes that overlap, and says of the others to run again', async () => {
  const fixes = [replace(7, 11, 'A, B'), replace(10, 14, 'X'), replace(13, 14, 'C')]
  const { files, fixed, refused } = applyFixes(await project, fixes)
  expect(files).toEqual([{ path: 'models/m.sql', before: TEXT, after: 'select A, B, C from t\n' }])
  expect(fixed).toEqual([fixes[0], fixes[2]])
  expect(refused.map(({ finding, reason }) => [fixes.indexOf(finding), reason])).toEqual([
    [1, 'another fix changes the same text; run again'],
  ])
})

test('moves no file that another fix changes, and none to where something lies', async () => {
  const move = (to: string): Finding => findingOf({ kind: 'move', path: 'models/m.sql', to })
  const edited = applyFixes(await project, [replace(7, 8, 'x'), move('models/marts/m.sql')])
  expect(edited.files).toEqual([{ path: 'models/m.sql', before: TEXT, after: 'select x, b, c from t\n' }])
  expect(edited.refused.map(({ reason }) => reason)).toEqual(['another fix changes the same file; run again'])
  const taken = applyFixes(await project, [move('models/n.sql')])
  expect(taken).toMatchObject({ files: [], refused: [{ reason: 'the file models/n.sql already exists' }] })
  const moved = applyFixes(await project, [move('models/marts/m.sql'), move('models/marts/o.sql')])
  expect(moved.files).toEqual([
    { path: 'models/m.sql', before: TEXT, after: undefined },
    { path: 'models/marts/m.sql', before: undefined, after: TEXT },
  ])
  expect(moved.refused).toHaveLength(1)
})

test('a fix that needs a review comes first, and the fixes of other rules on its subject wait', async () => {
  const about = (finding: Finding, rule: string, safety: Fix['safety']): Finding => ({
    ...finding,
    rule,
    subject: { kind: 'model', name: 'm' },
    ...(finding.fix && { fix: { ...finding.fix, safety } }),
  })
  const add = about(replace(12, 12, ', x'), 'SC302', 'safe')
  const rename = about(replace(7, 8, 'x'), 'SC301', 'unsafe')
  const { fixed, refused } = applyFixes(await project, [add, rename], { unsafe: true })
  expect(fixed).toEqual([rename])
  expect(refused).toEqual([{ finding: add, reason: 'another fix changes the same subject; run again' }])
  expect(applyFixes(await project, [add, rename]).fixed).toEqual([add])
})
