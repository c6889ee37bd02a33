import type { PlannedFile, ProjectPlan } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import { reportOf } from './findings.ts'

function planOf(text: string): ProjectPlan {
  const file: PlannedFile = {
    path: 'models/stg_a.sql',
    action: 'unchanged',
    before: text,
    after: text,
    covers: ['stg_a'],
    conflicts: [],
    notes: ['edited by hand'],
  }
  return {
    files: [file],
    tables: [],
    lock: new Map(),
    generated: [],
    models: [],
    stillRead: [],
    warnings: [],
  }
}

test('a file with conflict markers fails the check', () => {
  const markers = 'select\n<<<<<<< ours\n  a\n=======\n  b\n>>>>>>> theirs\nfrom c\n'
  expect(reportOf(planOf(markers), { offline: false }).findings.map(({ rule }) => rule)).toEqual(['conflict'])
  const { findings } = reportOf(planOf('select a -- <<<<<<< ours\nfrom c\n'), { offline: false })
  expect(findings.map(({ rule }) => rule)).toEqual(['edited'])
})
