"""TRL's GRPOTrainer, with a judge who sees a few completions of each batch only.

    trl_grpo.py [FOLDER [STEPS]]

The model is tiny and made on the spot, so that this runs anywhere. The judge stands for one that is paid for every answer: it likes vowels.
"""

import os
import string
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import pgkq
import torch
from datasets import Dataset
from tokenizers import Regex, Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

folder = sys.argv[1] if len(sys.argv) > 1 else "runs/grpo"
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 40
set_seed(1)
torch.set_num_threads(1)  # more are slower for a model this small

letters = {letter: i for i, letter in enumerate(["<pad>", "<eos>", *string.ascii_lowercase])}
by_letter = Tokenizer(models.WordLevel(letters))
by_letter.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
tokenizer = PreTrainedTokenizerFast(tokenizer_object=by_letter, pad_token="<pad>", eos_token="<eos>", padding_side="left")
sizes = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=len(letters))
model = LlamaForCausalLM(LlamaConfig(**sizes, pad_token_id=0, eos_token_id=1, bos_token_id=None))


def judge(text):
    return sum(letter in "aeiou" for letter in text) / 16


# ---- what pgkq needs ----
adviser = pgkq.Adviser(folder, select=8)


def reward(completion_ids, completions, **_):
    tokens = tokenizer.pad({"input_ids": completion_ids}, return_tensors="pt", padding_side="right")
    with torch.no_grad():
        states = model.model(**tokens).last_hidden_state
    mask = tokens["attention_mask"][..., None]
    choice = adviser.ask((states * mask).sum(1) / mask.sum(1))  # a text is described by its mean state
    scores = [judge(completions[i]) for i in choice.indices]
    return adviser.tell(choice, scores).mean.tolist()


# ---- and the rest is TRL ----
shown = []


def watched(completions, **_):
    """Has weight 0: what the judge would have said, had everything been paid for."""
    shown.append(sum(map(judge, completions)) / len(completions))
    return [0.0] * len(completions)


settings = GRPOConfig(
    output_dir=os.path.join(folder, "trainer"),
    max_steps=steps,
    per_device_train_batch_size=64,
    num_generations=8,
    max_completion_length=16,
    learning_rate=5e-3,
    reward_weights=[1.0, 0.0],
    scale_rewards=False,
    use_cpu=True,
    gradient_checkpointing=False,
    bf16=False,
    save_strategy="no",
    report_to="none",
    disable_tqdm=True,
    logging_strategy="no",
)
prompts = Dataset.from_list([{"prompt": a + b} for a in string.ascii_lowercase for b in string.ascii_lowercase])
GRPOTrainer(model, [reward, watched], settings, prompts, processing_class=tokenizer).train()
spent = adviser.status()["spent"]
adviser.close()
print(f"share of vowels: {sum(shown[:5]) / 5:.3f} in the first five batches, {sum(shown[-5:]) / 5:.3f} in the last five")
print(f"{spent} of {64 * len(shown)} completions judged")
