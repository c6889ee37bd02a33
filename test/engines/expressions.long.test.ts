// Expressions of a model on engines that run beside the tests; the others run in test/llm/expressions.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GOOD_EXPRESSIONS } from '../llm/corpus/expressions.ts'
import { isWhole, stageExpression, textType } from '../llm/stage-expression.ts'
import { clickhouse } from './clickhouse.ts'
import { describeOn, type Session } from './engine.ts'
import { snowflake } from './snowflake.ts'
import { compile } from './stage.ts'

const RELATION = 'raw.expressions'

for (const engine of [clickhouse, snowflake]) {
  describeOn(engine, () => {
    const { dialect, tableOptions = '' } = engine
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
    })
    afterAll(() => session?.close())

    test.each((GOOD_EXPRESSIONS[dialect] ?? []).map((good) => [good.expression, good] as const))(
      'the staged value is that of %s by itself',
      async (_, good) => {
        if (!session) throw new Error('there is no session')
        const code = await stageExpression(dialect, good)
        expect(isWhole(code, good.expression)).toBe(true)
        await session.run(`drop table if exists ${RELATION}`)
        await session.run(`create table ${RELATION} (c ${good.type}, d ${textType(dialect)}) ${tableOptions}`)
        await session.run(`insert into ${RELATION} select ${good.value}, 'other'`)
        const raw = await session.query(`select ${good.expression} from ${RELATION}`)
        const staged = await session.query(compile(code, RELATION))
        expect(staged.rows.map(([value]) => value)).toEqual(raw.rows.map(([value]) => value))
        expect(raw.rows).toEqual([[expect.any(String)]])
      },
    )
  })
}
