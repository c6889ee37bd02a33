/** Clients whose configuration can be printed. */
export const MCP_CLIENTS = ['claude', 'vscode', 'cursor'] as const
export type McpClient = (typeof MCP_CLIENTS)[number]

/** The environment variable with the key of a server over HTTP, for the server and for its clients. */
export const MCP_TOKEN_VARIABLE = 'STAGECRAFT_MCP_TOKEN'

/** The way to a server: a command that the client starts, or an address. */
export type McpPlace =
  | {
      readonly projectDir: string
      readonly flags?: readonly string[]
      /** The program and what precedes its arguments. @default `stagecraft` on the PATH of the client */
      readonly program?: readonly [command: string, ...parameters: string[]]
    }
  | { readonly url: string }

interface ClientForm {
  /** The key under which the client lists its servers. */
  readonly key: string
  /** The field with the kind of a local server; some clients infer it from the command. */
  readonly stdio: object
  readonly http: object
  /** The placeholder for an environment variable or a prompt for a secret. */
  readonly token: string
  /** Additional entries for a server over HTTP. */
  readonly beside: object
}

const FORMS: Readonly<Record<McpClient, ClientForm>> = {
  // https://code.claude.com/docs/en/mcp: .mcp.json in the project; ${NAME} is filled in from the environment
  claude: {
    key: 'mcpServers',
    stdio: {},
    http: { type: 'http' },
    token: `\${${MCP_TOKEN_VARIABLE}}`,
    beside: {},
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: .vscode/mcp.json; inputs are asked for and kept safe
  vscode: {
    key: 'servers',
    stdio: { type: 'stdio' },
    http: { type: 'http' },
    token: '${input:stagecraft-token}',
    beside: {
      inputs: [
        {
          type: 'promptString',
          id: 'stagecraft-token',
          description: 'Key of the Stagecraft server',
          password: true,
        },
      ],
    },
  },
  // https://cursor.com/docs/context/mcp: .cursor/mcp.json; ${env:NAME} is filled in from the environment
  cursor: {
    key: 'mcpServers',
    stdio: {},
    http: {},
    token: `\${env:${MCP_TOKEN_VARIABLE}}`,
    beside: {},
  },
}

/** Prints the configuration of a client for the server of a project, as JSON without a key. */
export function printClientConfig(client: McpClient, place: McpPlace): string {
  const { beside, http, key, stdio, token } = FORMS[client]
  const [command, ...parameters] = ('program' in place && place.program) || ['stagecraft']
  const config =
    'url' in place
      ? {
          ...beside,
          [key]: { stagecraft: { ...http, url: place.url, headers: { Authorization: `Bearer ${token}` } } },
        }
      : {
          [key]: {
            stagecraft: {
              ...stdio,
              command,
              args: [...parameters, 'mcp', '--project-dir', place.projectDir, ...(place.flags ?? [])],
            },
          },
        }
  return `${JSON.stringify(config, null, 2)}\n`
}
