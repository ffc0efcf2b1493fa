// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- extends the interface of TypeScript
interface ImportMeta {
  readonly env: {
    /** URL of the service. Default: http://localhost:3000 */
    readonly VITE_API_URL?: string
  }
}
