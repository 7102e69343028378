/** Which account or group an entry belongs to, for people: the panel tells the numbers of those whose files it does not administer. */
export function ownerName(owner: string): string {
  return owner === '0' ? 'root' : owner
}
