import type { PlannedFile, PlannedTable } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import { toPushPlan } from './push-plan.ts'

function file(path: string, change: Partial<PlannedFile> = {}): PlannedFile {
  return {
    path,
    action: 'unchanged',
    before: 'a\n',
    after: 'a\n',
    covers: [],
    conflicts: [],
    notes: [],
    ...change,
  }
}

const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('')

const planOf = (files: readonly PlannedFile[], tables: readonly PlannedTable[] = []) =>
  toPushPlan({ files, tables, warnings: [] }, '')

test('lists what changes before what stays, and counts what is beyond the limit', () => {
  const unchanged = Array.from({ length: 1200 }, (_, index) => file(`models/${index}.sql`))
  const plan = planOf([...unchanged, file('z.sql', { action: 'create', before: undefined })])
  expect(plan.files).toHaveLength(1000)
  expect(plan.files[0]).toMatchObject({ path: 'z.sql', diff: expect.stringContaining('+a') })
  expect(plan).toMatchObject({ unlisted: 201, counts: { create: 1, unchanged: 1200 } })
})

test('cuts a long difference between two lines, and says so', () => {
  const [cut, short] = planOf([
    file('a.sql', { action: 'update', after: lines(5000, 'column') }),
    file('b.sql', { action: 'update', after: 'b\n' }),
  ]).files
  expect(cut?.isDiffCut).toBe(true)
  expect(cut?.diff?.length).toBeLessThanOrEqual(20_000)
  expect(cut?.diff).toMatch(/column \d+\n$/)
  expect(short).toMatchObject({ diff: '--- a/b.sql\n+++ b/b.sql\n@@ -1,1 +1,1 @@\n-a\n+b\n' })
  expect(short).not.toHaveProperty('isDiffCut')
})

test('keeps all differences together within their limit, and compares no giants', () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    file(`${index}.sql`, { action: 'update', after: lines(1000, `text ${index}`) }),
  )
  const plan = planOf([...many, file('giant.csv', { action: 'update', after: 'x'.repeat(300_000) })])
  const shown = plan.files.reduce((sum, { diff = '' }) => sum + diff.length, 0)
  expect(shown).toBeGreaterThan(300_000)
  expect(shown).toBeLessThanOrEqual(400_000)
  expect(plan.files.at(-1)).toMatchObject({ path: 'giant.csv', isDiffCut: true })
  expect(plan.files.at(-1)).not.toHaveProperty('diff')
})

test('shows the difference that a conflict is about, and says what it is', () => {
  const plan = planOf([
    file('a.sql', {
      action: 'conflict',
      marked: '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n',
      conflicts: [{ kind: 'name', model: 'stg_a', path: 'models/stg_a.sql' }],
    }),
  ])
  expect(plan.files).toMatchObject([
    { changes: false, diff: expect.stringContaining('+b'), conflicts: [expect.stringContaining('stg_a')] },
  ])
})
