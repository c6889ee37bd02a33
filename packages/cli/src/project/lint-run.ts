import {
  chooseRules,
  type ChosenRule,
  findRule,
  lint,
  type LintOptions,
  type LintProject,
  narrowReport,
  readLintProject,
  type Report,
} from '@stagecraft/analysis'
import { diskTree, type FileTree, withTexts } from '@stagecraft/dbt'
import type { Config } from '@stagecraft/spec'
import type { ChosenProject } from '../files/choose-project.ts'
import { projectContext } from '../files/index-project.ts'
import { gitChanges } from '../files/git-changes.ts'
import { loadConfig } from '../files/load-config.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { dialectOfTarget } from './choose-dialect.ts'
import { readSourceTables, type SourceTablesFlags } from './source-tables.ts'
import { type KnownFindings, withoutKnown } from './report-findings.ts'

/** Texts that replace files, by path, such as unwritten fixes. Undefined for a deleted file. */
export type NewTexts = ReadonlyMap<string, string | undefined>

export interface LintRunFlags extends SourceTablesFlags {
  /** A branch, tag or commit; true for the last commit. */
  readonly changed?: string | true
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
}

/** A lint run over a project that can be read again. */
export interface LintRun {
  /** The configuration of the project and its text; undefined without a file. */
  readonly config: Config
  readonly configText: string | undefined
  /** The rules that flags and configuration choose. */
  readonly rules: readonly ChosenRule[]
  readonly read: (texts: NewTexts) => Promise<LintProject>
  /** Finds everything. */
  readonly checkAll: (project: LintProject) => Report
  /** Returns the findings to report: those in the selected paths or changes, without the known ones. */
  readonly check: (project: LintProject, known: KnownFindings | undefined) => Promise<Report>
}

export interface LintRunOptions {
  /** The files of the project. @default all of its folder */
  readonly tree?: FileTree
  /** Reads the SQL of models even if no rule needs it. @default false */
  readonly structure?: boolean
}

/**
 * Prepares to check a project.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an unknown rule, and for a configuration that cannot be read.
 */
export async function openLintRun(
  { isShown, root }: ChosenProject,
  flags: LintRunFlags,
  { structure: isRead = false, tree: files = diskTree(root) }: LintRunOptions = {},
): Promise<LintRun> {
  const { config, file } = await loadConfig(flags.config, root)
  const configText = file === undefined ? undefined : await readIfThere(file)
  const ignore = { path: 'stagecraft.yml', text: configText ?? '', settings: config.lint?.ignore ?? [] }
  const rules = chooseRules({
    ...(flags.select && { select: splitNames(flags.select) }),
    ...(flags.ignore && { ignore: splitNames(flags.ignore) }),
    severities: config.lint?.rules ?? {},
  })
  const options: LintOptions = { rules, findRule }
  const stale = rules.find(({ rule }) => rule.name === 'unused-suppression')
  const needs = new Set(rules.flatMap(({ rule }) => rule.needs))
  const structure = isRead || needs.has('structure')
  const artifacts = needs.has('manifest') || needs.has('freshness')
  const raw = await readSourceTables(root, flags)
  const dialect = flags.dialect ?? config.dialect ?? raw?.dialect
  const profileDialect = dialectOfTarget(await projectContext(root))
  const readTree = (tree: FileTree): Promise<LintProject> =>
    readLintProject(tree, {
      ...(dialect && { dialect }),
      ...(profileDialect && { profileDialect }),
      ...(raw && { tables: raw.tables }),
      artifacts,
      ignore,
      structure,
    })
  const checkAll = (project: LintProject): Report => lint(project, options)
  return {
    config,
    configText,
    read: (texts) => readTree(withTexts(files, texts)),
    rules,
    checkAll,
    async check(project, known) {
      const report = {
        ...narrowReport(
          withoutKnown(checkAll(project), known, { stale, isThere: (path) => project.files.has(path) }),
          isShown,
        ),
        fileCount: [...project.files.keys()].filter(isShown).length,
        modelCount: project.index.models.filter(({ path }) => isShown(path)).length,
      }
      if (flags.changed === undefined) return report
      const ref = flags.changed === true ? 'HEAD' : flags.changed
      return onlyChanges(report, {
        checkAll,
        packagesPath: project.index.settings.packagesPath,
        readTree,
        ref,
        root,
      })
    },
  }
}

/** `--select SC207,SC404` names two rules, as `--select SC207 SC404` does. */
function splitNames(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.split(',').map((one) => one.trim()))
}

interface ChangeOptions extends Pick<LintRun, 'checkAll'> {
  readonly root: string
  readonly ref: string
  readonly readTree: (tree: FileTree) => Promise<LintProject>
  readonly packagesPath: string
}

/**
 * Keeps findings in changed files, and those elsewhere that the changes caused, such as a deleted model that another
 * one reads.
 */
async function onlyChanges(
  report: Report,
  { checkAll, packagesPath, readTree, ref, root }: ChangeOptions,
): Promise<Report> {
  const { before, isChanged } = gitChanges(root, ref)
  const elsewhere = report.findings.filter(({ path }) => !isChanged(path))
  const old = elsewhere.length > 0 ? await fingerprintsBefore() : new Set<string>()
  return {
    ...report,
    findings: report.findings.filter(({ fingerprint, path }) => isChanged(path) || !old.has(fingerprint)),
    suppressed: report.suppressed.filter(({ finding }) => isChanged(finding.path)),
  }

  async function fingerprintsBefore(): Promise<ReadonlySet<string>> {
    const tree = withPackages(before(), { disk: diskTree(root), folder: packagesPath })
    if ((await tree.read('dbt_project.yml')) === undefined) return new Set()
    return new Set(checkAll(await readTree(tree)).findings.map(({ fingerprint }) => fingerprint))
  }
}

/** Installed packages are not committed, so they are read from disk. */
function withPackages(
  tree: FileTree,
  { disk, folder }: { readonly disk: FileTree; readonly folder: string },
): FileTree {
  const treeOf = (path: string): FileTree => (path === folder || path.startsWith(`${folder}/`) ? disk : tree)
  return {
    list: (path, options) => treeOf(path).list(path, options),
    read: (path) => treeOf(path).read(path),
  }
}
