import {
  type Backend,
  type BackendTurn,
  planEditSchema,
  type ViolationCode,
  VIOLATIONS,
} from '@stagecraft/spec'

/** What went through a backend. */
export interface Observations {
  readonly calls: number
  /** Calls that showed a model what was wrong with its first answer. */
  readonly repairs: number
  /** Tests that answers proposed, each once for a conversation. */
  readonly proposed: number
  /** By what the repairs said. */
  readonly violations: readonly ViolationCode[]
}

export interface ObservedBackend extends Backend {
  readonly observations: () => Observations
}

/** The same backend; it counts what passes and changes nothing. */
export function observe(backend: Backend): ObservedBackend {
  let calls = 0
  let repairs = 0
  const violations: ViolationCode[] = []
  const proposals = new Map<BackendTurn | undefined, Set<string>>()
  return {
    id: backend.id,
    observations: () => ({
      calls,
      repairs,
      proposed: [...proposals.values()].reduce((sum, set) => sum + set.size, 0),
      violations,
    }),
    complete: async (request) => {
      calls += 1
      const [first, ...others] = request.turns
      if (others.length > 0) repairs += 1
      violations.push(...others.flatMap(reportedViolations))
      const answer = await backend.complete(request)
      // A repair goes on from the same first turn.
      proposals.set(first, new Set([...(proposals.get(first) ?? []), ...proposalsIn(answer.text)]))
      return answer
    },
  }
}

/** The lines of a repair begin with the code: `- ILLEGAL_TEST (column 3): …`. */
function reportedViolations(turn: BackendTurn): readonly ViolationCode[] {
  if (turn.role !== 'user') return []
  return [...turn.text.matchAll(/^- ([A-Z_]+)(?: \(column \d+\))?: /gm)]
    .map(([, code]) => code)
    .filter(isViolationCode)
}

export function isViolationCode(code: string | undefined): code is ViolationCode {
  return code !== undefined && Object.hasOwn(VIOLATIONS, code)
}

/** Each test with its column; none where the answer has not the form of a plan edit. */
function proposalsIn(text: string): readonly string[] {
  const { data } = planEditSchema.safeParse(readJson(text))
  return (data?.columns ?? []).flatMap(({ ordinal, tests }) =>
    tests.map((test) => JSON.stringify([ordinal, test])),
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
