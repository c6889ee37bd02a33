import { readFileSync, writeFileSync } from 'node:fs'
import type {
  Config,
  configSchema,
  GenerationRequest,
  generationRequestSchema,
  LlmSettings,
  llmSettingsSchema,
  Table,
  TableProfile,
  tableProfileSchema,
  tableSchema,
} from '@stagecraft/spec'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { repositoryPath } from '../paths.ts'
import { TYPES } from './entries.ts'
import { printTypes, undocumented } from './print-types.ts'

const FILE = repositoryPath('packages/spec/src/types.ts')

test('types have the documentation of their schemas, which editors show', () => {
  const printed = printTypes(TYPES)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(FILE, printed)
  const advice =
    'packages/spec/src/types.ts is not what the schemas say: UPDATE_GOLDEN=1 npm test -- test/types'
  expect(readFileSync(FILE, 'utf8'), advice).toBe(printed)
})

test('every option is documented', () => {
  expect(undocumented(TYPES)).toEqual([])
})

type Same<A, B> = [A, keyof A] extends [B, keyof B]
  ? [B, keyof B] extends [A, keyof A]
    ? true
    : false
  : false

test('types are what their schemas accept', () => {
  const same: readonly true[] = [
    true satisfies Same<Config, z.infer<typeof configSchema>>,
    true satisfies Same<GenerationRequest, z.infer<typeof generationRequestSchema>>,
    true satisfies Same<LlmSettings, z.infer<typeof llmSettingsSchema>>,
    true satisfies Same<Table, z.infer<typeof tableSchema>>,
    true satisfies Same<TableProfile, z.infer<typeof tableProfileSchema>>,
  ]
  expect(same).not.toContain(false)
})
