import type { Lineage } from '../lineage/lineage.ts'

export interface FormatOptions {
  /** Version of Stagecraft. */
  readonly version: string
  /** What stands before the paths of the project: `warehouse/` where the project is not the root of its repository. @default nothing */
  readonly prefix?: string
  /** Styles a piece of text for a terminal. @default not at all */
  readonly paint?: Paint
  /** Name of the project, for the page. @default dbt project */
  readonly title?: string
  /** Which models read which, for the page. @default it has no graph */
  readonly lineage?: Lineage
  /** Earlier reports, for the page, the oldest first. @default it has no trend */
  readonly history?: readonly HistoryEntry[]
}

/** What is kept of an earlier report. */
export interface HistoryEntry {
  /** The name of the report. */
  readonly label: string
  /** From 0 to 100. */
  readonly score: number
  readonly error: number
  readonly warning: number
  readonly info: number
}

export type Paint = (style: 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string) => string
