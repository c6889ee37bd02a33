import fc from 'fast-check'
import { test } from 'vitest'
import { expectAdoptable, expectSettled } from '../testing/expect-whole.ts'
import { apply, openWorld } from '../testing/pretend-world.ts'
import { STEPS } from '../testing/world-steps.ts'

// A warehouse, people, settings and commands change a project in any order. After every step the project is one that dbt can
// read, and nothing that a person wrote is lost but with what it is about.

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 12)

test(
  'whatever happens in whatever order, the project stays whole',
  async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(40))
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const world = openWorld(expectSettled)
      await apply(world)
      for (const [name, number] of steps) {
        world.log.push(`${name} ${number}`)
        await STEPS[name]?.(world, number)
      }
      world.log.push('the last apply')
      await apply(world)
      await expectAdoptable(world)
    })
    await fc.assert(property, { numRuns: RUNS })
  },
  120_000 + RUNS * 1000,
)
