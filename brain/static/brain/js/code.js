// input[data-code]: the sign-in code. Takes a paste with spaces or words around it, and sends the
// form by itself once all digits are there. Without this script the button does the same.

const LENGTH = 6;
const NOT_A_DIGIT = /\D/g;

function take(input, text) {
  const before = input.value;
  input.value = text.replace(NOT_A_DIGIT, "").slice(0, LENGTH);
  const complete = input.value.length === LENGTH && input.value !== before;
  if (complete && input.dataset.sent !== input.value) {
    // The same wrong code must not be sent again by a mere touch of the field.
    input.dataset.sent = input.value;
    input.form.requestSubmit();
  }
}

document.addEventListener("paste", (event) => {
  const input = event.target.closest?.("[data-code]");
  if (!input) return;
  event.preventDefault();
  take(input, event.clipboardData.getData("text"));
});

document.addEventListener("input", (event) => {
  const input = event.target.closest("[data-code]");
  if (!input) return;
  const typed = input.value;
  input.value = "";
  take(input, typed);
});
