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
import type { ApiBodies, ApiData, ApiOperations, ApiQueries } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { repositoryPath } from '../paths.ts'
import {
  ANALYSIS_TYPES,
  API_TYPE_OPTIONS,
  API_TYPES,
  ASSISTANT_TYPES,
  DATA_OPTIONS,
  INPUT_OPTIONS,
  PUSH_OPTIONS,
  PUSH_TYPES,
  WEBHOOK_TYPES,
} from './api-entries.ts'
import { TYPE_OPTIONS, TYPES } from './entries.ts'
import { printTypes, undocumented } from './print-types.ts'

test.each([
  ['packages/spec/src/types.ts', TYPES, TYPE_OPTIONS],
  ['packages/spec/src/api/types.ts', API_TYPES, API_TYPE_OPTIONS],
  ['packages/spec/src/api/push-types.ts', PUSH_TYPES, PUSH_OPTIONS],
  ['packages/spec/src/api/analysis-types.ts', ANALYSIS_TYPES, PUSH_OPTIONS],
  ['packages/spec/src/api/assistant-types.ts', ASSISTANT_TYPES, PUSH_OPTIONS],
  ['packages/spec/src/api/webhook-types.ts', WEBHOOK_TYPES, API_TYPE_OPTIONS],
  ['packages/spec/src/api/operation-inputs.ts', [], INPUT_OPTIONS],
  ['packages/spec/src/api/operation-data.ts', [], DATA_OPTIONS],
])('%s has the documentation of its schemas, which editors show', (path, types, options) => {
  const file = repositoryPath(path)
  const printed = printTypes(types, options)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, printed)
  const advice = `${path} is not what the schemas say: UPDATE_GOLDEN=1 npm test -- test/types`
  expect(readFileSync(file, 'utf8'), advice).toBe(printed)
})

test('every option is documented', () => {
  expect(undocumented(TYPES, TYPE_OPTIONS)).toEqual([])
})

test('every member of a body and of an answer is documented', () => {
  const maps = [...INPUT_OPTIONS.maps, ...DATA_OPTIONS.maps].flatMap(({ members }) =>
    members.map(({ doc, key, schema }) => ({ name: key, doc, schema })),
  )
  expect(
    undocumented(
      [...API_TYPES, ...PUSH_TYPES, ...ANALYSIS_TYPES, ...ASSISTANT_TYPES, ...WEBHOOK_TYPES, ...maps],
      API_TYPE_OPTIONS,
    ),
  ).toEqual([])
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

type Operations = ApiOperations
type With<Place extends string> = {
  [Id in keyof Operations]: Operations[Id] extends { readonly [Key in Place]: z.ZodType } ? Id : never
}[keyof Operations]
type BodyOf<One> = One extends { readonly body: infer Body extends z.ZodType } ? z.input<Body> : never
type DataOf<One> = One extends { readonly data: infer Data extends z.ZodType } ? z.output<Data> : never
/** A query as a program gives it: numbers are numbers, and what has a default may be left out. */
type QueryOf<One> = One extends { readonly query: infer Query extends z.ZodObject }
  ? { readonly [Name in keyof z.input<Query>]?: z.output<Query>[Name & keyof z.output<Query>] | undefined }
  : never
/** The ids of operations whose printed type is not that of their schema. */
type Different<Ids extends keyof Operations, Printed, Schemas> = {
  [Id in Ids]: Same<Printed[Id & keyof Printed], Schemas[Id & keyof Schemas]> extends true ? never : Id
}[Ids]

test('types of operations are what their schemas accept and answer', () => {
  type Bodies = { [Id in With<'body'>]: BodyOf<Operations[Id]> }
  type Data = { [Id in With<'data'>]: DataOf<Operations[Id]> }
  type Queries = { [Id in With<'query'>]: QueryOf<Operations[Id]> }
  const same: readonly true[] = [
    true satisfies Same<keyof ApiBodies, With<'body'>>,
    true satisfies Same<keyof ApiData, With<'data'>>,
    true satisfies Same<keyof ApiQueries, With<'query'>>,
    true satisfies Same<Different<With<'body'>, ApiBodies, Bodies>, never>,
    true satisfies Same<Different<With<'data'>, ApiData, Data>, never>,
    true satisfies Same<Different<With<'query'>, ApiQueries, Queries>, never>,
  ]
  expect(same).not.toContain(false)
})
