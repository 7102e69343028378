const place = 'hostreeve.uploads'
const most = 100

/** Which file an upload in parts belongs to; kept in this browser, so that it goes on after the page was loaded again. */
export interface Note {
  readonly id: number
  readonly fingerprint: string
}

/** The notes of this browser. */
export function notes(): readonly Note[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept)
      ? kept.filter((each) => typeof each?.id === 'number' && typeof each?.fingerprint === 'string')
      : []
  } catch {
    return [] // somebody else wrote there
  }
}

/** Keeps a note. */
export function noteUpload(note: Note): void {
  put([...notes().filter(({ id }) => id !== note.id), note].slice(-most))
}

/** Forgets the note of an upload that is over. */
export function forgetUpload(id: number): void {
  put(notes().filter((each) => each.id !== id))
}

function put(next: readonly Note[]): void {
  if (next.length === 0) localStorage.removeItem(place)
  else localStorage.setItem(place, JSON.stringify(next))
}
