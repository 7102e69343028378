// Every tool of the panel: one folder and one line each.
export { accounts } from './accounts/index.ts'
export { bubblewrap } from './bubblewrap/index.ts'
export { haproxy } from './haproxy/index.ts'
export { mariadb } from './mariadb/index.ts'
export { nginx } from './nginx/index.ts'
export { sevenZip } from './seven-zip/index.ts'
export { sudo } from './sudo/index.ts'
export { xz } from './xz/index.ts'
