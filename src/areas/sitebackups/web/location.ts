import type { Backup } from '../model.ts'

/** Says where a backup is. */
export function locationOf({ source, is_copied }: Pick<Backup, 'source' | 'is_copied'>): string {
  if (source === 's3') return 'S3'
  return is_copied ? 'This host and S3' : 'This host'
}
