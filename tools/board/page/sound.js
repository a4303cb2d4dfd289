/* Sounds, made as they are needed: no files. Off until the reader wants them. */

import { settings } from "./settings.js";

/** Pitch in hertz, length in seconds, and loudness of the knocks of each sound. */
const SOUNDS = {
  move: [[320, 0.06, 0.5]],
  take: [[260, 0.06, 0.6], [180, 0.09, 0.6]],
  end: [[392, 0.18, 0.3], [523, 0.18, 0.3], [659, 0.3, 0.3]],
  low: [[880, 0.08, 0.25]],
};

let context = null;

export function sound(name) {
  if (settings.sounds !== "on") return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length, loudness] of SOUNDS[name]) {
    const tone = context.createOscillator(), volume = context.createGain();
    tone.type = name === "end" ? "sine" : "triangle";
    tone.frequency.setValueAtTime(pitch, at);
    tone.frequency.exponentialRampToValueAtTime(pitch * (name === "end" ? 1 : 0.6), at + length);
    volume.gain.setValueAtTime(loudness, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.8;
  }
}
