const place = 'hostreeve.uploads'
const most = 100

/**
 * Links a file to its chunked upload; stored in this browser, so that the upload resumes after a page
 * reload.
 */
export interface Note {
  readonly id: number
  readonly fingerprint: string
}

/** Reads the notes of this browser. */
export function notes(): readonly Note[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept)
      ? kept.filter((each) => typeof each?.id === 'number' && typeof each?.fingerprint === 'string')
      : []
  } catch {
    return [] // not written by the panel
  }
}

/** Stores a note. */
export function noteUpload(note: Note): void {
  put([...notes().filter(({ id }) => id !== note.id), note].slice(-most))
}

/** Removes the note of a finished upload. */
export function forgetUpload(id: number): void {
  put(notes().filter((each) => each.id !== id))
}

function put(next: readonly Note[]): void {
  if (next.length === 0) localStorage.removeItem(place)
  else localStorage.setItem(place, JSON.stringify(next))
}
