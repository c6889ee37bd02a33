export {
  MCP_CLIENTS,
  MCP_TOKEN_VARIABLE,
  type McpClient,
  type McpPlace,
  printClientConfig,
} from './client-config.ts'
export {
  createMcpAnswerer,
  createMcpHttpHandler,
  type McpAnswerer,
  type McpHttpCaller,
  type McpHttpHandler,
  type McpHttpOptions,
} from './http-handler.ts'
export {
  INSTRUCTIONS,
  mcpServerFactory,
  type McpOptions,
  type McpSession,
  serveMcpOverStdio,
} from './server.ts'
