import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderIndex } from '../templates/generate.ts'
import { repositoryPath } from './paths.ts'

test('templates/index.ts holds the template files; `pnpm templates` makes it again', () => {
  expect(readFileSync(repositoryPath('templates/index.ts'), 'utf8')).toBe(renderIndex())
})
