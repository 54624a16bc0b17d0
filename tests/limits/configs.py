"""The fields of published models that decide their size, written by hand; facts, with where they were read.

Sources: [aic] github.com/ai-dynamo/aiconfigurator, folders model_configs (Qwen3-Next at 1b7cfb1, Qwen3.5 at 87fe4b0,
GLM-5 at 691ec90); [kimi] a public test of the released 48B file; [card] the model's own card and config.json.
"""

from __future__ import annotations

from typing import Any

Config = dict[str, Any]

LLAMA_8B: Config = {  # [card] meta-llama/Llama-3.1-8B
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16", "attention_bias": False, "mlp_bias": False,
}  # fmt: skip

LLAMA_70B: Config = LLAMA_8B | {  # [card] meta-llama/Llama-3.1-70B
    "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80, "num_attention_heads": 64,
}  # fmt: skip

LLAMA_7B: Config = {  # [card] meta-llama/Llama-2-7b: a cache for every head of queries
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
    "num_attention_heads": 32, "vocab_size": 32000, "tie_word_embeddings": False, "torch_dtype": "float16",
}  # fmt: skip

MISTRAL_SMALL: Config = {  # [card] mistralai/Mistral-Small-3.2-24B-Instruct-2506
    "model_type": "mistral3", "torch_dtype": "bfloat16",
    "text_config": {
        "model_type": "mistral", "hidden_size": 5120, "intermediate_size": 32768, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 131072,
        "max_position_embeddings": 131072, "sliding_window": None, "tie_word_embeddings": False,
    },
    "vision_config": {"model_type": "pixtral", "hidden_size": 1024},
}  # fmt: skip

MISTRAL_7B: Config = {  # [card] mistralai/Mistral-7B-v0.1: every layer has a window
    "model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": 4096,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

MIXTRAL: Config = {  # [card] mistralai/Mixtral-8x7B-v0.1
    "model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": None,
    "num_local_experts": 8, "num_experts_per_tok": 2, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

STARCODER: Config = {  # [card] bigcode/starcoder: one head of keys and values
    "model_type": "gpt_bigcode", "n_embd": 6144, "n_head": 48, "n_layer": 40, "n_inner": 24576, "vocab_size": 49152,
    "n_positions": 8192, "multi_query": True, "torch_dtype": "bfloat16",
}  # fmt: skip

QWEN3_32B: Config = {  # [card] Qwen/Qwen3-32B
    "model_type": "qwen3", "hidden_size": 5120, "intermediate_size": 25600, "num_hidden_layers": 64,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
    "sliding_window": None, "use_sliding_window": False, "max_window_layers": 64, "tie_word_embeddings": False,
    "attention_bias": False, "torch_dtype": "bfloat16", "max_position_embeddings": 40960,
}  # fmt: skip

QWEN3_06B: Config = QWEN3_32B | {  # [card] Qwen/Qwen3-0.6B
    "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16,
    "max_window_layers": 28, "tie_word_embeddings": True,
}  # fmt: skip

KIMI_K25: Config = {  # [aic] moonshotai/Kimi-K2.5
    "model_type": "kimi_k25", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61,
    "num_attention_heads": 64, "num_key_value_heads": 64, "kv_lora_rank": 512, "q_lora_rank": 1536,
    "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 163840,
    "first_k_dense_replace": 1, "moe_layer_freq": 1, "moe_intermediate_size": 2048, "n_routed_experts": 384,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
    "max_position_embeddings": 262144, "vision_config": {"vt_hidden_size": 1152},
}  # fmt: skip

QWEN25_7B: Config = {  # [card] Qwen/Qwen2.5-7B: names a window that it does not use
    "model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
    "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064, "sliding_window": 131072,
    "use_sliding_window": False, "max_window_layers": 28, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

QWEN3_NEXT: Config = {  # [aic]
    "model_type": "qwen3_next", "hidden_size": 2048, "intermediate_size": 5120, "num_hidden_layers": 48,
    "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "vocab_size": 151936,
    "full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
    "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_value_head_dim": 128,
    "decoder_sparse_step": 1, "mlp_only_layers": [], "moe_intermediate_size": 512, "num_experts": 512,
    "num_experts_per_tok": 10, "shared_expert_intermediate_size": 512, "tie_word_embeddings": False,
    "torch_dtype": "bfloat16", "use_sliding_window": False, "max_position_embeddings": 262144,
}  # fmt: skip

QWEN35: Config = {  # [aic] Qwen/Qwen3.5-397B-A17B
    "model_type": "qwen3_5_moe", "tie_word_embeddings": False,
    "text_config": {
        "model_type": "qwen3_5_moe_text", "dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 60,
        "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 256, "vocab_size": 248320,
        "attn_output_gate": True, "full_attention_interval": 4,
        "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 15,
        "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
        "linear_num_value_heads": 64, "linear_value_head_dim": 128, "mlp_only_layers": [],
        "moe_intermediate_size": 1024, "num_experts": 512, "num_experts_per_tok": 10,
        "shared_expert_intermediate_size": 1024,
    },
    "vision_config": {"depth": 27, "hidden_size": 1152},
}  # fmt: skip

DEEPSEEK_V3: Config = {  # [card] deepseek-ai/DeepSeek-V3
    "model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61,
    "num_attention_heads": 128, "num_key_value_heads": 128, "kv_lora_rank": 512, "q_lora_rank": 1536,
    "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280,
    "first_k_dense_replace": 3, "moe_layer_freq": 1, "moe_intermediate_size": 2048, "n_routed_experts": 256,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "num_nextn_predict_layers": 1, "tie_word_embeddings": False,
    "max_position_embeddings": 163840, "torch_dtype": "bfloat16",
    "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]},
}  # fmt: skip

GLM_5: Config = {  # [aic]
    "model_type": "glm_moe_dsa", "hidden_size": 6144, "intermediate_size": 12288, "num_hidden_layers": 78,
    "num_attention_heads": 64, "num_key_value_heads": 64, "head_dim": 64, "vocab_size": 154880,
    "kv_lora_rank": 512, "q_lora_rank": 2048, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256,
    "first_k_dense_replace": 3, "moe_layer_freq": 1, "moe_intermediate_size": 2048, "n_routed_experts": 256,
    "n_shared_experts": 1, "num_experts_per_tok": 8, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

GLM_45: Config = {  # [card] zai-org/GLM-4.5
    "model_type": "glm4_moe", "hidden_size": 5120, "intermediate_size": 12288, "num_hidden_layers": 92,
    "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151552,
    "attention_bias": True, "use_qk_norm": True, "first_k_dense_replace": 3, "moe_intermediate_size": 1536,
    "n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8, "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}  # fmt: skip

GPT_OSS_120B: Config = {  # [card] openai/gpt-oss-120b
    "model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 36,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088,
    "layer_types": ["sliding_attention", "full_attention"] * 18, "sliding_window": 128,
    "num_local_experts": 128, "num_experts_per_tok": 4, "experts_per_token": 4, "attention_bias": True,
    "tie_word_embeddings": False, "max_position_embeddings": 131072,
    "quantization_config": {
        "quant_method": "mxfp4",
        "modules_to_not_convert": [
            "model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head",
        ],
    },
}  # fmt: skip

GEMMA3_27B: Config = {  # [card] google/gemma-3-27b-it
    "model_type": "gemma3", "torch_dtype": "bfloat16",
    "text_config": {
        "model_type": "gemma3_text", "hidden_size": 5376, "intermediate_size": 21504, "num_hidden_layers": 62,
        "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "sliding_window": 1024,
    },
    "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 1152},
}  # fmt: skip

GEMMA3_4B: Config = {  # [card] google/gemma-3-4b-it: heads and vocabulary are left to the class
    "model_type": "gemma3", "torch_dtype": "bfloat16",
    "text_config": {
        "model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
        "sliding_window": 1024,
    },
    "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 1152},
}  # fmt: skip

GEMMA2_9B: Config = {  # [card] google/gemma-2-9b
    "model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
    "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "vocab_size": 256000,
    "sliding_window": 4096, "torch_dtype": "float32",
}  # fmt: skip

KIMI_LINEAR: Config = {  # [kimi] moonshotai/Kimi-Linear-48B-A3B
    "model_type": "kimi_linear", "hidden_size": 2304, "num_hidden_layers": 27, "vocab_size": 163840,
    "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 72, "num_experts": 256,
    "num_experts_per_token": 8, "moe_intermediate_size": 1024, "intermediate_size": 9216, "kv_lora_rank": 512,
    "q_lora_rank": None, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "first_k_dense_replace": 1, "moe_layer_freq": 1, "num_shared_experts": 1, "tie_word_embeddings": False,
    "linear_attn_config": {
        "full_attn_layers": [4, 8, 12, 16, 20, 24, 27], "head_dim": 128, "num_heads": 32, "short_conv_kernel_size": 4,
    },
    "dtype": "bfloat16",
}  # fmt: skip

JAMBA_MINI: Config = {  # [card] ai21labs/AI21-Jamba-1.5-Mini
    "model_type": "jamba", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 65536, "attn_layer_period": 8,
    "attn_layer_offset": 4, "expert_layer_period": 2, "expert_layer_offset": 1, "num_experts": 16,
    "num_experts_per_tok": 2, "mamba_d_conv": 4, "mamba_d_state": 16, "mamba_dt_rank": 256, "mamba_expand": 2,
    "sliding_window": None, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

NEMOTRON_NANO: Config = {  # [card] nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B
    "model_type": "nemotron_h", "hidden_size": 2688, "num_hidden_layers": 52, "num_attention_heads": 32,
    "num_key_value_heads": 2, "head_dim": 128, "vocab_size": 131072, "mamba_num_heads": 64, "mamba_head_dim": 64,
    "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4, "n_routed_experts": 128, "n_shared_experts": 1,
    "num_experts_per_tok": 6, "moe_intermediate_size": 1856, "moe_shared_expert_intermediate_size": 3712,
    "intermediate_size": 1856, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
}  # fmt: skip

MINIMAX_01: Config = {  # [card] MiniMaxAI/MiniMax-Text-01
    "model_type": "minimax_text_01", "hidden_size": 6144, "intermediate_size": 9216, "num_hidden_layers": 80,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 200064,
    "attn_type_list": [0, 0, 0, 0, 0, 0, 0, 1] * 10, "num_local_experts": 32, "num_experts_per_tok": 2,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip

MAMBA_28B: Config = {  # [card] state-spaces/mamba-2.8b-hf
    "model_type": "mamba", "hidden_size": 2560, "num_hidden_layers": 64, "vocab_size": 50280, "state_size": 16,
    "conv_kernel": 4, "expand": 2, "time_step_rank": 160, "torch_dtype": "float32",
}  # fmt: skip
