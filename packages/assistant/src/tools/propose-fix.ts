import { applyFixes, type Finding } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { assertProposals, changeSchema, proposalHead, propose } from '../proposals/propose.ts'
import { defineTool } from '../tool.ts'

/** Proposes the fixes of findings. */
export const proposeFix = defineTool({
  name: 'propose_fix',
  title: 'Propose fixes',
  description:
    'Proposes fixes for findings of check_project or suggest_tests, by their ids. Writes nothing: a person applies the proposal. notes list findings without a fix.',
  effect: 'proposes',
  input: {
    findings: z.array(z.string().min(1).max(100)).min(1).max(50).describe('finding.… ids'),
    unsafe: z.boolean().default(false).describe('include fixes that may change what dbt builds'),
  },
  head: proposalHead,
  item: changeSchema,
  run: async (view, { findings: ids, unsafe }, ports) => {
    assertProposals(ports.proposals)
    const findings = [...new Set(ids)].map((id) => findingOf(view, id))
    const { files, fixed, refused } = applyFixes(view.project, findings, { unsafe })
    const count = `${fixed.length} finding${fixed.length === 1 ? '' : 's'}`
    return propose(
      view,
      {
        kind: 'fix',
        title: `fix ${count} of lint in ${files.length} file${files.length === 1 ? '' : 's'}`,
        files,
        evidence: fixed.map(({ message, path, rule, start }) => `${rule} ${path}:${start.line}: ${message}`),
        notes: [
          ...refused.map(({ finding, reason }) => `${idOf(finding)} is not fixed: ${reason}`),
          ...findings.flatMap((finding) => reasonAgainst(finding, unsafe)),
        ],
      },
      ports,
    )
  },
})

function idOf({ fingerprint }: Finding): string {
  return `finding.${fingerprint.slice(0, 16)}`
}

/** @throws {StagecraftError} INVALID_REQUEST for an id that the project does not have. */
function findingOf(view: ProjectView, id: string): Finding {
  const isIt = (finding: Finding): boolean => idOf(finding) === id
  const found = view.report().findings.find(isIt) ?? view.lackingTests().findings.find(isIt)
  if (found) return found
  throw StagecraftError.invalid(
    {
      path: 'findings',
      expected: 'ids of findings, as listed by check_project and suggest_tests',
      received: JSON.stringify(cleanText(id, 100)),
    },
    { suggestion: 'the project may have changed; list the findings again' },
  )
}

function reasonAgainst(finding: Finding, unsafe: boolean): readonly string[] {
  const { fix, rule } = finding
  const id = idOf(finding)
  if (!fix) return [`${id} has no fix; explain ${rule} shows how to correct it by hand`]
  return fix.safety === 'unsafe' && !unsafe
    ? [`${id} is not fixed: its fix may change what dbt builds; unsafe: true proposes it`]
    : []
}
