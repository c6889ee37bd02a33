import { inject } from 'vitest'
import { conformanceSuite } from './suite.ts'
import type { Target } from './target.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformanceTarget: Target
  }
}

conformanceSuite(() => Promise.resolve(inject('conformanceTarget')))
