/** The client alone: the module of the package also has a pool, which a bundle cannot resolve. */
declare module 'pg/lib/client.js' {
  export { Client as default } from 'pg'
}
