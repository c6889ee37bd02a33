import { describe, expect, test } from 'vitest'
import { expectFailure, expectFault, expectSuccess } from './expect-envelope.ts'
import type { UseSession } from './session.ts'

/** §2.1 and §4.1: what `POST /generate` takes. */
export function requestTests(use: UseSession): void {
  const generate = (body: unknown) => use().ask('POST /generate', { body })

  describe('§2.1 generation request', () => {
    test('§2.1 type: a staging model is a kind that can be generated', async () => {
      expectSuccess(await generate({ type: 'staging', source: use().source }))
    })

    test.each([
      ['is required', {}],
      ['is a string', { type: 1 }],
      ['is not null', { type: null }],
      ['is a known kind', { type: 'no such kind' }],
    ])('§2.1 type: %s', async (_rule, given) => {
      expectFault(await generate({ source: use().source, ...given }), 'type')
    })

    test.each([
      ['is required', {}],
      ['is a string', { source: 1 }],
      ['is not null', { source: null }],
      ['is not empty', { source: '' }],
    ])('§2.1 source: %s', async (_rule, given) => {
      expectFault(await generate({ type: 'staging', ...given }), 'source')
    })

    test.each(['undotted', '.', 'a..b', 'a.b.', '"a.b'])(
      '§2.1 source: is a dotted name, and %j is none',
      async (source) => {
        expectFailure(await generate({ type: 'staging', source }), 'INVALID_REQUEST', 'INVALID_SOURCE')
      },
    )

    test('§2.1 source: names schema and table', async () => {
      const { source } = use()
      const { schema } = expectSuccess(await generate({ type: 'staging', source }))
      const table = source.split('.').at(-1) ?? ''
      expect(String(schema).toLowerCase()).toContain(table.replaceAll('"', '').toLowerCase())
    })

    test('§2.1 options: is not required', async () => {
      const { source } = use()
      const without = expectSuccess(await generate({ type: 'staging', source }))
      expect(without).toEqual(expectSuccess(await generate({ type: 'staging', source, options: {} })))
    })

    test.each([['addTests'], [true], [[]], [null]])(
      '§2.1 options: is an object, and not %j',
      async (options) => {
        expectFault(await generate({ type: 'staging', source: use().source, options }), 'options')
      },
    )
  })

  describe('§2.1 options of a generation', () => {
    const withOptions = async (options: object) =>
      expectSuccess(await generate({ type: 'staging', source: use().source, options }))

    test.each(['addTests', 'addDocs'])('§2.1 options.%s: is a boolean', async (option) => {
      const body = { type: 'staging', source: use().source, options: { [option]: 'true' } }
      expectFault(await generate(body), `options.${option}`)
    })

    test('§2.1 options.addTests: when true, tests are included', async () => {
      const { schema, tests } = await withOptions({ addTests: true })
      expect(tests).not.toEqual([])
      for (const name of tests as readonly string[]) expect(schema).toContain(name)
    })

    test.each([[{}], [{ addTests: false }]])(
      '§2.1 options.addTests: with %j they are not',
      async (options) => {
        const { schema, tests } = await withOptions(options)
        expect(tests).toEqual([])
        expect(schema).not.toMatch(/\btests:/)
      },
    )

    test('§2.1 options.addDocs: when true, documentation is included', async () => {
      expect((await withOptions({ addDocs: true }))['schema']).toContain('description:')
    })

    test.each([[{}], [{ addDocs: false }]])('§2.1 options.addDocs: with %j it is not', async (options) => {
      expect((await withOptions(options))['schema']).not.toContain('description:')
    })
  })
}
