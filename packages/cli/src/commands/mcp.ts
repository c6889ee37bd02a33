import { fileURLToPath } from 'node:url'
import { askInPlace, diskProposals, chooseTools } from '@stagecraft/assistant'
import type { McpClient, McpOptions, McpPlace, McpSession } from '@stagecraft/assistant/mcp'
import { StagecraftError } from '@stagecraft/spec'
import { redactSecrets } from '@stagecraft/spec/redact-secrets'
import { chooseProject, type ChosenProject } from '../files/choose-project.ts'
import { openView, type ViewFlags } from '../project/open-view.ts'
import { modelPlanner } from '../project/plan-model.ts'
import { readVersion } from '../read-version.ts'

export interface McpFlags extends ViewFlags {
  /** The client whose configuration to print instead of serving. */
  readonly printConfig?: McpClient
  /** The address to listen on; true for the default. */
  readonly http?: string | true
  /** Host names under which the server is reached, besides its address. */
  readonly allowedHost?: readonly string[]
  /** Names of tools, separated by commas. */
  readonly tools?: string
  /** False to exclude the tools that propose changes. */
  readonly proposals: boolean
  /** Allows values of rows in results. */
  readonly allowValues?: boolean
}

/** `stagecraft mcp`: answers the questions of MCP clients about a dbt project. */
export async function mcpCommand(flags: McpFlags): Promise<void> {
  const chosen = await chooseProject([], flags.projectDir)
  const tools = chooseTools({
    ...(flags.tools !== undefined && { names: flags.tools.split(',').map((name) => name.trim()) }),
    proposals: flags.proposals,
  })
  if (flags.allowedHost && flags.http === undefined)
    throw StagecraftError.invalid({
      path: '--allowed-host',
      expected: '--http with it',
      received: 'no --http',
    })
  const { printClientConfig, serveMcpOverStdio } = await import('@stagecraft/assistant/mcp')
  if (flags.printConfig !== undefined) {
    process.stdout.write(printClientConfig(flags.printConfig, await placeOf(chosen, flags)))
    return
  }
  const session: McpSession = {
    tools,
    readProject: askInPlace(openView(chosen, flags)),
    ports: {
      ...(flags.proposals && { proposals: diskProposals(chosen.root, { createdBy: 'mcp' }) }),
      planner: modelPlanner(chosen.root, flags),
      allowValues: flags.allowValues ?? false,
    },
  }
  const options: McpOptions = { version: readVersion(), open: () => session, onFault: reportFault }
  if (flags.http === undefined) {
    await serveMcpOverStdio(options)
    return
  }
  const { serveMcpOverHttp } = await import('../serve/serve-mcp.ts')
  await serveMcpOverHttp(flags, options)
}

/** Standard output belongs to the protocol. */
function reportFault(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${redactSecrets(text)}\n`)
}

/**
 * Returns the command that starts this program in a clone, where `stagecraft` is not on the PATH. Undefined in a
 * package.
 */
function programOfClone(): readonly [command: string, file: string] | undefined {
  if (!import.meta.url.endsWith('.ts')) return undefined
  return [process.execPath, fileURLToPath(new URL('../bin.ts', import.meta.url))]
}

/** Returns the connection to the server for the printed configuration, as the other flags say. */
async function placeOf({ root }: ChosenProject, flags: McpFlags): Promise<McpPlace> {
  if (flags.http !== undefined) {
    const { readAddress } = await import('../serve/serve-mcp.ts')
    const { host, port } = readAddress(flags.http)
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp` }
  }
  const program = programOfClone()
  return {
    projectDir: root,
    ...(program && { program }),
    flags: [
      ...(flags.catalog === undefined
        ? []
        : ['--catalog', ...(flags.catalog === true ? [] : [redactSecrets(flags.catalog)])]),
      ...(flags.dialect === undefined ? [] : ['--dialect', flags.dialect]),
      ...(flags.tools === undefined ? [] : ['--tools', flags.tools]),
      ...(flags.proposals ? [] : ['--no-proposals']),
      ...(flags.allowValues ? ['--allow-values'] : []),
    ],
  }
}
