import { snapshots, write } from './generated.ts'

// npm run snapshots
write(snapshots(), 'test/snapshots')
