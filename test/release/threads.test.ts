import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

test('the bundle has a file for every thread', () => {
  const text = (path: string): string => readFileSync(repositoryPath(path), 'utf8')
  const threads = globSync('packages/*/src/**/*-worker.ts', { cwd: repositoryPath('.') }).filter(
    (path) => !path.includes('/testing/') && text(path).includes('(workerData as '),
  )
  expect(threads.length).toBeGreaterThanOrEqual(2)
  const bundle = text('release/bundle.ts')
  expect(threads.filter((path) => !bundle.includes(`'${path}'`))).toEqual([])
})
