import { clients, patterns, snapshots, write } from './generated.ts'

// npm run snapshots
write(snapshots(), patterns.snapshots)
write(clients(), patterns.clients)
